/** The state of an order, as the merchant's shop tells it: lines that mean nothing to this program but can be compared. */

import { parseJson } from '../contract/parse.ts'

/** How often each line stands in the state of an order. */
export type Lines = ReadonlyMap<string, number>

const TIMES = /\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?)?|\b1[5-9]\d{8}(\d{3}|\.\d+)?\b/g

/**
 * Reads the lines of a text, or one line for each value in JSON. What differs between two orders that were paid alike
 * is replaced: times, and what `names` has, such as the reference of the order.
 */
export function linesOf(text: string, names: ReadonlyMap<string, string>): Lines {
  const json = parseJson(text)
  const lines = typeof json === 'object' && json !== null ? flat(json) : text.split('\n').flatMap(cells)
  // An id may contain a shorter name.
  const longestFirst = [...names].toSorted(([one], [other]) => other.length - one.length)
  const counts = new Map<string, number>()
  for (const line of lines) {
    const named = longestFirst.reduce((so, [from, to]) => so.replaceAll(from, to), line.trim())
    const whole = named.replaceAll(TIMES, '{time}')
    if (whole !== '') counts.set(whole, (counts.get(whole) ?? 0) + 1)
  }
  return counts
}

/** A row of a database, as its command prints it, has a line for each cell. */
function cells(row: string): string[] {
  return /[|\t]/.test(row) ? row.split(/[|\t]/).map((cell, index) => `${index + 1}: ${cell}`) : [row]
}

function flat(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${String(value)}`]
  return Object.entries(value).flatMap(([name, each]) => flat(each, path === '' ? name : `${path}.${name}`))
}

/** Returns the lines that were added, each as often as it stands there now. */
export function gained(before: Lines, after: Lines): Lines {
  return new Map([...after].filter(([line, count]) => count > (before.get(line) ?? 0)))
}

export function same(one: Lines, other: Lines): boolean {
  return one.size === other.size && [...one].every(([line, count]) => other.get(line) === count)
}

/** Leaves out the lines of others. */
export function without(lines: Lines, others: Lines): Lines {
  return new Map([...lines].filter(([line]) => !others.has(line)))
}

/**
 * Whether a line stands there by which a payment is recognized. A shop may keep ids and amounts of a payment that is
 * not right, or a list of all events, so these lines count only if there is nothing else.
 */
function isMarked(now: Lines, paid: Lines): boolean {
  const marks = [...paid].filter(([line]) => !/\{(?!order\})|^\S*\.\d/.test(line))
  return (marks.length > 0 ? marks : [...paid]).some(([line, count]) => (now.get(line) ?? 0) >= count)
}

/** What may have to be true of an order after an event, given the lines that one payment adds. */
export const FACTS = {
  'the state is as before': (before: Lines, now: Lines) => same(before, now),
  'the state has changed': (before: Lines, now: Lines) => !same(before, now),
  'the order is paid': (_: Lines, now: Lines, paid: Lines) => isMarked(now, paid),
  'the order is not paid': (_: Lines, now: Lines, paid: Lines) => !isMarked(now, paid),
  'the order is paid exactly once': (_: Lines, now: Lines, paid: Lines) =>
    paid.size > 0 && [...paid].every(([line, count]) => now.get(line) === count),
} as const satisfies Readonly<Record<string, (before: Lines, now: Lines, paid: Lines) => boolean>>
export type Fact = keyof typeof FACTS
/** What is true only when the work for an event is done. */
export const DONE: readonly Fact[] = ['the state has changed', 'the order is paid']

/**
 * How an order is paid of which this is not true. It is paid too rarely if a line of a payment is missing, and too often
 * if one stands there more often; a greater number in its place is more, too.
 */
export function oddity(wrong: Fact, now: Lines, paid: Lines) {
  if (wrong === 'the order is not paid') return 'paid too early'
  const lines = [...paid].filter(([line, count]) => now.get(line) !== count).map(([line]) => line)
  if (lines.length === 0 || wrong === 'the state is as before') return null
  return lines.some((line) => (now.get(line) ?? 0) > (paid.get(line) ?? 0) || hasGrown(line))
    ? 'paid too often'
    : 'paid too rarely'

  function hasGrown(line: string): boolean {
    const [, name = line, number] = /^(.*?)(\d+)$/.exec(line) ?? []
    return [...now.keys()].some(
      (other) => other.startsWith(name) && Number(other.slice(name.length)) > Number(number),
    )
  }
}

/** Whether one of the lines has a number, which is greater if something happens twice. Names do not count. */
export function hasNumber(lines: Lines): boolean {
  return [...lines.keys()].some((line) => /\d/.test(line.replace(/^\S*: /, '')))
}

/** Says for people how a state has changed, and what it lacks of a payment. */
export function describe(before: Lines, now: Lines, paid: Lines | null = null): string {
  const [lost, added] = [gained(now, before), gained(before, now)]
  const change = `said: ${list(lost) || 'nothing of this'}, and now: ${list(added) || 'no more'}`
  const isSame = lost.size + added.size === 0
  const told = `--state ${isSame ? `still says: ${list(now) || 'nothing'}` : change}.`
  if (!paid) return told
  const lack = gained(now, paid)
  const what = lack.size === paid.size ? 'all of it' : list(lack)
  return `${told} Paid looked like: ${list(paid)}; this lacks ${what}.`
}

function list(lines: Lines): string {
  return [...lines].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line)).join('; ')
}
