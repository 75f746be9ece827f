// Drives the engine with node-uci, as chess programs do: node play.cjs PATH_TO_SOUCIE
const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const { Engine } = require('node-uci')

const SOUCIE = process.argv[2]
const START = {
  linesofaction: '1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1',
  englishdraughts: 'B:W21-32:B1-12',
}

/** Returns the output of a separate Soucie process for a command after these moves. */
function query(variant, moves, command) {
  const input = `setoption name UCI_Variant value ${variant}\nposition startpos moves ${moves.join(' ')}\n${command}\n`
  return spawnSync(SOUCIE, { input, encoding: 'utf8' }).stdout
}

const legalMoves = (variant, moves) =>
  query(variant, moves, 'moves').trim().split('\n').pop().split(' ').slice(1)

/** Collects the error lines of an engine while it runs. */
function errorLines(engine) {
  const found = []
  engine.proc.stdout.on('data', text => found.push(...text.split('\n').filter(line => /^info string error/.test(line))))
  return found
}

async function options() {
  const engine = await new Engine(SOUCIE).init()
  assert.match(engine.id.name, /^Soucie /)
  const { type, options: games } = engine.options.get('UCI_Variant')
  assert.equal(type, 'combo')
  for (const variant of Object.keys(START)) assert(games.includes(variant), games)
  assert.equal(engine.options.get('Clear Hash').type, 'button')
  assert.equal(engine.options.get('Ponder').default, false)
  const { min, max, default: hash } = engine.options.get('Hash')
  assert(min === 1 && max > hash && hash >= min)
  const found = errorLines(engine)
  await engine.setoption('Hash', 3)
  await engine.setoption('Clear Hash')
  assert.deepEqual(found, [])
  await engine.setoption('Hash', 'much')
  assert.match(found.join(), /^info string error option 'Hash': expected a whole number/)
  await engine.quit()
}

/** Plays a game of the engine against itself on clocks until it is over by the rules. */
async function wholeGame(variant, fen) {
  const engine = await new Engine(SOUCIE).init()
  const found = errorLines(engine)
  await engine.setoption('UCI_Variant', variant)
  await engine.ucinewgame()
  const moves = []
  const clock = [1500, 1500]
  for (;;) {
    await engine.position(fen, moves)
    const start = Date.now()
    const side = moves.length % 2
    const result = await engine.go({ btime: clock[0], wtime: clock[1], binc: 20, winc: 20 })
    clock[side] = Math.max(1, clock[side] + 20 - (Date.now() - start))
    if (result.bestmove === '(none)') break
    const last = result.info.filter(info => info.pv).pop()
    assert.equal(last.pv.split(' ')[0], result.bestmove)
    // A move that repeats a position is a draw without a node.
    assert(['cp', 'mate'].includes(last.score.unit) && last.nodes >= 0)
    moves.push(result.bestmove)
    assert(moves.length < 400, 'the game does not end')
  }
  await engine.quit()
  assert.deepEqual(found, [])
  const end = query(variant, moves, 'd').match(/^Game over: .*/m)
  assert(end && legalMoves(variant, moves).length === 0, moves.join(' '))
  console.log(`  ${moves.length} moves; ${end[0]}`)
}

/** Stops an infinite analysis at depth 6. */
async function infinite(variant) {
  const engine = await new Engine(SOUCIE).init()
  await engine.setoption('UCI_Variant', variant)
  await engine.position('startpos')
  const deep = new Promise(resolve => engine.goInfinite().on('data', info => info.depth >= 6 && resolve()))
  await deep
  const { bestmove } = await engine.stop()
  assert(legalMoves(variant, []).includes(bestmove), bestmove)
  assert.equal((await engine.go({ depth: 4 })).info.pop().depth, 4)
  await engine.quit()
}

/** Pondering, with a ponder hit during the search. */
async function ponder(variant) {
  const engine = await new Engine(SOUCIE).init()
  await engine.setoption('UCI_Variant', variant)
  await engine.position('startpos')
  const first = await engine.go({ depth: 6 })
  const moves = [first.bestmove, first.ponder]
  await engine.position('startpos', moves)
  const search = engine.go({ ponder: true, btime: 10000, wtime: 10000 })
  engine.write('ponderhit') // ponderhit() may miss its readyok between the lines of the search
  const { bestmove } = await search
  assert(legalMoves(variant, moves).includes(bestmove), bestmove)
  await engine.quit()
}

/** A chain of commands, limits, and an illegal move. */
async function wrongMove(variant, illegal) {
  const engine = new Engine(SOUCIE)
  const { bestmove } = await engine.chain().init().setoption('UCI_Variant', variant)
    .position('startpos').go({ nodes: 5000, searchmoves: legalMoves(variant, []).slice(-1) })
  assert.equal(bestmove, legalMoves(variant, []).pop())
  const found = errorLines(engine)
  await engine.position('startpos', [illegal])
  assert.match(found.join(), new RegExp(`^info string error illegal move ${illegal} in `))
  assert.equal((await engine.go({ depth: 2 })).bestmove, '(none)')
  assert.match(found.join(), new RegExp(`error the last position was refused: illegal move ${illegal} in `))
  await engine.position('startpos')
  const after = await engine.go({ depth: 2 })
  assert(legalMoves(variant, []).includes(after.bestmove))
  await engine.quit()
}

async function main() {
  await options()
  for (const [variant, fen] of Object.entries(START)) {
    console.log(variant)
    await wholeGame(variant, 'startpos')
    await wholeGame(variant, fen)
    await infinite(variant)
    await ponder(variant)
  }
  await wrongMove('linesofaction', 'd1d4')
  await wrongMove('englishdraughts', 'b6b5')
  console.log('node-uci: passed')
}

// While Node waits for an engine that has ended, it may exit without an error.
process.exitCode = 1
main().then(
  () => (process.exitCode = 0),
  error => {
    console.error(error)
    process.exit(1)
  },
)
