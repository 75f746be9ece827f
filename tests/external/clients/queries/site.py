"""Example client of an analysis site: analyses several games concurrently: site.py ENGINE"""
import asyncio, itertools, json, sys


class Soucie:
    async def start(self, program):
        command, pipe = [program, "analyse", "-", "--queries"], asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
        self.waiting, self.ids = {}, itertools.count()
        self.reading = asyncio.create_task(self.read())

    async def read(self):
        async for line in self.process.stdout:
            reply = json.loads(line)
            self.waiting.pop((reply["id"], reply["turn"])).set_result(reply)

    async def analyse(self, moves, **query):
        turns, loop = list(range(len(moves) + 1)), asyncio.get_running_loop()
        query |= {"id": str(next(self.ids)), "moves": moves, "turns": turns}
        replies = {(query["id"], turn): loop.create_future() for turn in turns}
        self.waiting |= replies
        self.process.stdin.write(json.dumps(query).encode() + b"\n")
        await self.process.stdin.drain()
        return await asyncio.gather(*replies.values())


async def main():
    soucie = Soucie()
    await soucie.start(sys.argv[1])
    games = [["d1b3", "h4f2", "b1b4"], ["11-15", "23-19", "8-11"]]
    for replies in await asyncio.gather(*(soucie.analyse(game, nodes=2000) for game in games)):
        print(replies[0]["variant"], [reply["black"]["expectation"] for reply in replies])


asyncio.run(main())
