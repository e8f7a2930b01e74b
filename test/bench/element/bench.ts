import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Contender, Racer } from './contenders.ts'
import type { Lap, Track } from './race.ts'
import { table } from '../../../server/cli/table.ts'
import { litButton, ours, peers } from './contenders.ts'
import { callbackLatencies } from './latency.ts'
import { openTrack } from './race.ts'

interface Finding {
  what: string
  figure: number
  aim: number
  unit: string
  of?: [number, number]
}

const ONE_TAG = { tags: 1, slowDown: 1, idleMs: 0, isHurried: true }
const MANY_TAGS = { tags: 100, slowDown: 1, idleMs: 0, isHurried: true }
const SLOW = { tags: 1, slowDown: 6, idleMs: 0, isHurried: false }
const PAYMENTS = 40
const IDLE = { tags: 1, slowDown: 1, idleMs: 5000, isHurried: true }

export async function bench(pairs: number): Promise<string[]> {
  const racers = [ours(), await litButton()] as const
  const findings = weigh([...racers, ...(await peers())])
  const track = await openTrack()
  try {
    findings.push(...(await time(track, racers, pairs)))
  } finally {
    await track.close()
  }
  findings.push(await follow())
  const heads = ['', 'measured', 'aim', '', 'ours', 'bare Lit']
  const rows = findings.map(({ what, figure, aim, unit, of }) => [
    what,
    `${round(figure)} ${unit}`,
    `${aim} ${unit}`,
    figure <= aim ? 'reached' : 'MISSED',
    ...(of ?? []).map(round),
  ])
  console.log(`\n${table(heads, rows)}`)
  return findings
    .filter(({ figure, aim }) => !(figure <= aim))
    .map(({ what, figure, aim, unit }) => `${what}: ${round(figure)} ${unit}, and the aim is ${aim} ${unit}`)
}

function weigh(contenders: Contender[]): Finding[] {
  const weights = contenders.map(({ name, files }) => {
    const texts = files.map((text) => Buffer.from(text))
    const sum = (weight: (text: Buffer) => number) => texts.reduce((total, text) => total + weight(text), 0)
    return {
      name,
      raw: sum((text) => text.byteLength),
      gzip: sum((text) => gzipSync(text, { level: 9 }).byteLength),
      brotli: sum((text) => brotliCompressSync(text).byteLength),
    }
  })
  const [own, lit] = weights
  const heads = ['size, bytes', 'raw', 'gzip', 'brotli', '× ours', '× bare Lit']
  const rows = weights.map(({ name, raw, gzip, brotli }) => [
    name,
    raw,
    gzip,
    brotli,
    ...[own, lit].map((base) => round(brotli / (base?.brotli ?? NaN))),
  ])
  console.log(table(heads, rows))
  return [{ what: 'size before a press, brotli', figure: own?.brotli ?? NaN, aim: 9_000, unit: 'bytes' }]
}

async function time(track: Track, racers: readonly [Racer, Racer], pairs: number): Promise<Finding[]> {
  const run = async (given: Parameters<Track['pair']>[2], count: number) => {
    const laps: [Lap, Lap][] = []
    for (let turn = 0; turn < count; turn++) laps.push(await track.pair(racers, turn, given))
    return laps
  }
  // The first pages of a browser are slower than later pages.
  await run(ONE_TAG, 2)
  const one = await run(ONE_TAG, pairs)
  const many = await run(MANY_TAGS, pairs)
  const slow = await run(SLOW, Math.ceil(pairs / 3))
  const idle = (await run(IDLE, 1))[0]?.[0]
  return [
    ratio('ready, one tag', one, 1.25),
    ratio('ready, 100 tags', many, 1.5),
    absolute('script CPU', one, 'scriptCpuMs', 4, 'ms'),
    absolute('layout shift at upgrade', one, 'layoutShift', 0, ''),
    absolute('longest task over 50 ms, CPU 6 × slower', slow, 'longestTaskMs', 50, 'ms'),
    { what: 'timers while idle', figure: idle?.timers ?? NaN, aim: 0, unit: '' },
    { what: 'requests while idle', figure: idle?.requests ?? NaN, aim: 0, unit: '' },
  ]
}

async function follow(): Promise<Finding> {
  const latencies = (await callbackLatencies(PAYMENTS)).toSorted((one, other) => one - other)
  const figure = latencies[Math.ceil(latencies.length * 0.95) - 1] ?? NaN
  return { what: `callback to event in the page, p95 of ${PAYMENTS}`, figure, aim: 50, unit: 'ms' }
}

function ratio(what: string, laps: [Lap, Lap][], aim: number): Finding {
  const figure = median(laps.map(([own, lit]) => own.readyMs / lit.readyMs))
  return { what, figure, aim, unit: '×', of: medians(laps, 'readyMs') }
}

function absolute(what: string, laps: [Lap, Lap][], field: keyof Lap, aim: number, unit: string): Finding {
  const of = medians(laps, field)
  return { what, figure: of[0], aim, unit, of }
}

function medians(laps: [Lap, Lap][], field: keyof Lap): [number, number] {
  return [median(laps.map(([own]) => own[field])), median(laps.map(([, lit]) => lit[field]))]
}

function median(figures: number[]): number {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle - 1)] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2
}

function round(figure: number): string {
  return String(Math.round(figure * 100) / 100)
}
