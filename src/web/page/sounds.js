/** Sounds for moves. The browser makes them, so that no file is loaded. */
import { promotion } from "./game.js";

/** The frequencies of notes, in hertz. */
const MOVE = [330];
const CAPTURE = [330, 247];
const PROMOTION = [392, 494, 587];
const END = [392, 330, 262];
/** The distance between two notes, in seconds. */
const STEP = 0.11;

/** @type {AudioContext | null} */
let audio = null;

/** Plays the sound of a move or of the end of the game. @param {TreeNode} node */
export function playSound(node) {
  audio ??= new AudioContext();
  // Browsers allow sounds only after the first input on the page.
  audio.resume();
  for (const [index, pitch] of notes(node).entries()) {
    const start = audio.currentTime + index * STEP;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const volume = new GainNode(audio, { gain: 0.2 });
    volume.gain.setValueAtTime(0.2, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 2 * STEP);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 2 * STEP);
  }
}

/** @param {TreeNode} node */
function notes(node) {
  if (node.ending ?? node.state?.result) return END;
  if (promotion(node)) return PROMOTION;
  return node.move?.captures.length ? CAPTURE : MOVE;
}
