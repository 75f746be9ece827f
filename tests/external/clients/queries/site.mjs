// Example client of an analysis site: analyses several games concurrently: site.mjs ENGINE
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const soucie = spawn(process.argv[2], ['analyse', '-', '--queries'], { stdio: ['pipe', 'pipe', 'inherit'] })
const waiting = new Map()
createInterface({ input: soucie.stdout }).on('line', (line) => {
  const reply = JSON.parse(line)
  const key = `${reply.id}/${reply.turn}`
  waiting.get(key)(reply)
  waiting.delete(key)
})

let ids = 0
const analyse = (moves, query) => {
  const [id, turns] = [`${ids++}`, [...moves.keys(), moves.length]]
  const replies = turns.map((turn) => new Promise((resolve) => waiting.set(`${id}/${turn}`, resolve)))
  soucie.stdin.write(JSON.stringify({ ...query, id, moves, turns }) + '\n')
  return Promise.all(replies)
}

const games = [['d1b3', 'h4f2', 'b1b4'], ['11-15', '23-19', '8-11']]
for (const replies of await Promise.all(games.map((moves) => analyse(moves, { nodes: 2000 })))) {
  console.log(replies[0].variant, replies.map((reply) => reply.black.expectation))
}
soucie.stdin.end()
