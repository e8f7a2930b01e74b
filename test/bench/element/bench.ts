import { table } from '../table.ts'
import { litButton, ours } from './contenders.ts'
import { CHEAP_SLOW_DOWN, openTrack } from './race.ts'

import type { Racer } from './contenders.ts'

/** One row of a table. */
interface Row {
  what: string
  /** The medians of ours and of the bare button, in milliseconds. */
  figures: number[]
  /** The median of the ratios of the pairs, and the largest that is wanted. */
  ratio: number
  aim: number
}

export async function bench(pairs: number): Promise<string[]> {
  const racers = [ours(), await litButton()]
  const track = await openTrack()
  const compare = async (what: string, aim: number, run: (racer: Racer) => Promise<number>) =>
    rowOf(what, aim, await runByTurns(racers, pairs, run))
  try {
    // The first pages of a browser are slower than later pages.
    await runByTurns(racers, 2, (racer) => track.lap(racer, {}))
    const rows = [
      await compare('script to button ready, unthrottled', 1.25, (racer) => track.lap(racer, {})),
      await compare('the same on a cheap phone', 1.25, (racer) =>
        track.lap(racer, { slowDown: CHEAP_SLOW_DOWN }),
      ),
      await compare('navigation to ready on a cheap phone', 1.25, (racer) => track.arrive(racer)),
      await compare('100 tags, unthrottled', 1.5, (racer) => track.lap(racer, { tags: 100 })),
    ]
    print(rows, racers)
    for (const { title, script, serve } of racers) {
      const { byteLength } = await (await serve(script)).arrayBuffer()
      console.log(`${script}, ${title}: ${byteLength} bytes over the wire`)
    }

    return rows
      .filter(isMissed)
      .map(({ what, ratio, aim }) => `${what}: ${round(ratio)} × bare Lit, and the aim is ${aim} ×`)
  } finally {
    await track.close()
  }
}

/** Returns the times of each racer. The racers run by turns, and each begins every other turn. */
async function runByTurns(
  racers: Racer[],
  pairs: number,
  run: (racer: Racer) => Promise<number>,
): Promise<number[][]> {
  const times = racers.map((): number[] => [])
  for (let turn = 0; turn < pairs; turn++) {
    for (const index of turn % 2 === 0 ? [0, 1] : [1, 0]) {
      const racer = racers[index]
      if (racer) {
        times[index]?.push(await run(racer))
      }
    }
  }

  return times
}

function rowOf(what: string, aim: number, times: number[][]): Row {
  const [own = [], lit = []] = times
  return {
    what,
    figures: times.map(median),
    ratio: median(own.map((ms, turn) => ms / (lit[turn] ?? NaN))),
    aim,
  }
}

function print(rows: Row[], racers: Racer[]): void {
  const heads = ['', ...racers.map(({ title }) => title), 'measured', 'aim', '']
  const cells = rows.map((row) => [
    row.what,
    ...row.figures.map((ms) => `${round(ms)} ms`),
    `${round(row.ratio)} × bare Lit`,
    `${row.aim} ×`,
    isMissed(row) ? 'MISSED' : 'reached',
  ])
  console.log(`\n${table(heads, cells)}`)
}

function isMissed({ ratio, aim }: Row): boolean {
  return !(ratio <= aim)
}

function round(figure: number): string {
  return String(Math.round(figure * 100) / 100)
}

function median(figures: number[]): number {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle - 1)] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2
}
