import { brotliCompressSync } from 'node:zlib'
import type { Racer } from './contenders.ts'
import type { Circumstances, Lap, Track } from './race.ts'
import { table } from '../../../server/cli/table.ts'
import { litButton, ours, rendered } from './contenders.ts'
import { CHEAP_SLOW_DOWN, openTrack } from './race.ts'
import { median } from './tasks.ts'

/** One row of a table. `ours` and the others are medians. */
interface Row {
  what: string
  figures: number[]
  /** What is compared with the aim, and how that is written. */
  measured: number
  aim: number
  unit: string
}

type Figure = (lap: Lap) => number

const FAST: Circumstances = { isHurried: true }
const CHEAP: Circumstances = { isHurried: true, slowDown: CHEAP_SLOW_DOWN }
const CHEAP_SCRIPT: Circumstances = { slowDown: CHEAP_SLOW_DOWN, recordsWork: true }
const MANY: Circumstances = { isHurried: true, tags: 100 }
const SLOW: Circumstances = { slowDown: 6, recordsWork: true }
const IDLE: Circumstances = { isHurried: true, idleMs: 5_000 }

const readyMs: Figure = (lap) => lap.readyMs
const scriptMs: Figure = ({ work }) => work?.script ?? NaN
const longestTaskMs: Figure = ({ work, later }) =>
  Math.max(work?.longestTask ?? NaN, later?.longestTask ?? NaN)

export async function bench(pairs: number): Promise<string[]> {
  const [own, lit] = [ours(), await litButton()]
  const racers = [own, lit]
  const track = await openTrack()
  let speeds: Row[]
  let idle: Row[]
  try {
    // The first pages of a browser are slower than later pages.
    await compare(track, racers, 2, '', FAST, readyMs, 0)
    speeds = [
      await compare(track, racers, pairs, 'script to button ready, unthrottled', FAST, readyMs, 1.25),
      await compare(track, racers, pairs, 'the same on a cheap phone', CHEAP, readyMs, 1.25),
      ...(await arrivals(track, racers, pairs)),
      await compare(track, racers, pairs, 'main-thread script, cheap phone', CHEAP_SCRIPT, scriptMs, 1.15),
      await compare(track, racers, pairs, '100 tags, unthrottled', MANY, readyMs, 1.5),
      beyond(await compare(track, racers, pairs, 'longest task, CPU 6 ×', SLOW, longestTaskMs, 50)),
    ]
    print(speeds, racers)
    const lap = await track.lap(own, IDLE)
    idle = [
      { what: 'layout shift at upgrade', figures: [], measured: lap.layoutShift, aim: 0, unit: '' },
      { what: 'timers while idle', figures: [], measured: lap.timers, aim: 0, unit: '' },
      { what: 'requests while idle', figures: [], measured: lap.requests, aim: 0, unit: '' },
    ]
  } finally {
    await track.close()
  }
  const others = [weigh(own), ...idle]
  print(others, [])
  return [...speeds, ...others]
    .filter(isMissed)
    .map(
      ({ what, measured, aim, unit }) => `${what}: ${round(measured)} ${unit}, and the aim is ${aim} ${unit}`,
    )
}

/** Runs all racers by turns. The ratio is the median of the ratios of the pairs. */
async function compare(
  track: Track,
  racers: Racer[],
  pairs: number,
  what: string,
  given: Circumstances,
  figure: Figure,
  aim: number,
): Promise<Row> {
  const laps = racers.map((): number[] => [])
  for (let turn = 0; turn < pairs; turn++)
    for (const index of orderOf(turn)) {
      const racer = racers[index]
      if (racer) laps[index]?.push(figure(await track.lap(racer, given)))
    }
  const [own = [], lit = []] = laps
  const measured = median(own.map((ms, turn) => ms / (lit[turn] ?? NaN)))
  return { what, figures: laps.map(median), measured, aim, unit: '× bare Lit' }
}

/** Returns who runs in a turn: ours and the bare button, first the one and then the other. */
const orderOf = (turn: number) => (turn % 2 === 0 ? [0, 1] : [1, 0])

/** Returns the same row with the difference to the bare button instead of the ratio. */
function beyond({ what, figures, aim, ...row }: Row): Row {
  const [own = NaN, lit = NaN] = figures
  return { ...row, what: `${what}, beyond bare Lit's`, figures, aim, measured: own - lit, unit: 'ms' }
}

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

function weigh({ script }: Racer): Row {
  const measured = brotliCompressSync(script).byteLength
  return { what: 'size before a press, brotli', figures: [], measured, aim: 9_000, unit: 'bytes' }
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
