import type { Racer } from './contenders.ts'
import type { Circumstances, Track } from './race.ts'
import { table } from '../../../server/cli/table.ts'
import { litButton, ours, rendered } from './contenders.ts'
import { CHEAP_SLOW_DOWN, openTrack } from './race.ts'

/** One row of a table. `ours` and the others are medians. */
interface Row {
  what: string
  figures: number[]
  /** What is compared with the aim, and how that is written. */
  measured: number
  aim: number
  unit: string
}

const FAST: Circumstances = {}
const CHEAP: Circumstances = { slowDown: CHEAP_SLOW_DOWN }
const MANY: Circumstances = { tags: 100 }

export async function bench(pairs: number): Promise<string[]> {
  const racers = [ours(), await litButton()]
  const track = await openTrack()
  try {
    // The first pages of a browser are slower than later pages.
    await compare(track, racers, 2, '', FAST, 0)
    const rows = [
      await compare(track, racers, pairs, 'script to button ready, unthrottled', FAST, 1.25),
      await compare(track, racers, pairs, 'the same on a cheap phone', CHEAP, 1.25),
      ...(await arrivals(track, racers, pairs)),
      await compare(track, racers, pairs, '100 tags, unthrottled', MANY, 1.5),
    ]
    print(rows, racers)
    return rows
      .filter(isMissed)
      .map(
        ({ what, measured, aim, unit }) =>
          `${what}: ${round(measured)} ${unit}, and the aim is ${aim} ${unit}`,
      )
  } finally {
    await track.close()
  }
}

/** Runs all racers by turns. The ratio is the median of the ratios of the pairs. */
async function compare(
  track: Track,
  racers: Racer[],
  pairs: number,
  what: string,
  given: Circumstances,
  aim: number,
): Promise<Row> {
  const laps = racers.map((): number[] => [])
  for (let turn = 0; turn < pairs; turn++)
    for (const index of orderOf(turn)) {
      const racer = racers[index]
      if (racer) laps[index]?.push(await track.lap(racer, given))
    }
  const [own = [], lit = []] = laps
  const measured = median(own.map((ms, turn) => ms / (lit[turn] ?? NaN)))
  return { what, figures: laps.map(median), measured, aim, unit: '× bare Lit' }
}

/** Returns who runs in a turn: ours and the bare button, first the one and then the other. */
const orderOf = (turn: number) => (turn % 2 === 0 ? [0, 1] : [1, 0])

async function arrivals(track: Track, racers: Racer[], pairs: number): Promise<Row[]> {
  const before = rendered()
  const times = [...racers, before].map((): number[] => [])
  const scripts: number[] = []
  for (let turn = 0; turn < pairs; turn++)
    for (const index of [...orderOf(turn), racers.length]) {
      const arrival = await track.arrive(racers[index] ?? before)
      times[index]?.push(arrival.readyMs)
      if (index === racers.length) scripts.push(arrival.scriptMs)
    }
  const figures = times.slice(0, -1).map(median)
  const what = 'navigation to ready on a cheap phone'
  const ratios = (times[0] ?? []).map((ms, turn) => ms / (times[1]?.[turn] ?? NaN))
  const renderedMs = median(times.at(-1) ?? [])
  return [
    { what, figures, measured: median(ratios), aim: 1.25, unit: '× bare Lit' },
    {
      what: 'the same, rendered by the server; aim: before the script',
      figures: [renderedMs],
      measured: renderedMs,
      aim: median(scripts),
      unit: 'ms',
    },
  ]
}

function print(rows: Row[], racers: Racer[]): void {
  const heads = ['', ...racers.map(({ title }) => title), 'measured', 'aim', '']
  const cells = rows.map((row) => [
    row.what,
    ...racers.map((_, index) =>
      row.figures[index] === undefined ? null : `${round(row.figures[index] ?? NaN)} ms`,
    ),
    `${round(row.measured)} ${row.unit}`,
    `${round(row.aim)} ${row.unit}`,
    isMissed(row) ? 'MISSED' : 'reached',
  ])
  console.log(`\n${table(heads, cells)}`)
}

function isMissed({ measured, aim }: Row): boolean {
  return !(measured <= aim)
}

function round(figure: number): string {
  return String(Math.round(figure * 100) / 100)
}

function median(figures: number[]): number {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle - 1)] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2
}
