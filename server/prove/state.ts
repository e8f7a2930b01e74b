/**
 * The state of an order, as the merchant's shop tells it: lines that this program does not understand, but compares.
 */

import { parseJson } from '../contract/parse.ts'

/** How often each line stands in the state of an order. */
export type Lines = ReadonlyMap<string, number>

/** Dates with or without a time, and seconds or milliseconds since the Unix epoch from 2017 to 2033. */
const TIMES = /\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?)?|\b1[5-9]\d{8}(\d{3}|\.\d+)?\b/g

/**
 * Reads the lines of a text, or one line for each value in JSON. What differs between two orders that were paid alike
 * is replaced: times, and the keys of `placeholders`, such as the reference of the order.
 */
export function linesOf(text: string, placeholders: ReadonlyMap<string, string>): Lines {
  const json = parseJson(text)
  const lines = typeof json === 'object' && json !== null ? leavesOf(json) : text.split('\n').flatMap(cellsOf)
  // An id may contain a shorter one.
  const longestFirst = [...placeholders].toSorted(([one], [other]) => other.length - one.length)
  const counts = new Map<string, number>()
  for (const line of lines) {
    let comparable = line.trim()
    for (const [text, placeholder] of longestFirst) {
      comparable = comparable.replaceAll(text, placeholder)
    }

    comparable = comparable.replaceAll(TIMES, '{time}')
    if (comparable !== '') {
      counts.set(comparable, (counts.get(comparable) ?? 0) + 1)
    }
  }

  return counts
}

/** Returns a line for each cell of a database row, as `psql` or `mysql` prints it; of other text, the line itself. */
function cellsOf(row: string): string[] {
  return /[|\t]/.test(row) ? row.split(/[|\t]/).map((cell, index) => `${index + 1}: ${cell}`) : [row]
}

function leavesOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) {
    return [`${path}: ${String(value)}`]
  }

  return Object.entries(value).flatMap(([name, each]) =>
    leavesOf(each, path === '' ? name : `${path}.${name}`),
  )
}

/** Returns the lines that stand there more often than before, each as often as it stands there now. */
export function linesAdded(before: Lines, now: Lines): Lines {
  return new Map([...now].filter(([line, count]) => count > (before.get(line) ?? 0)))
}

export function isSame(one: Lines, other: Lines): boolean {
  return one.size === other.size && [...one].every(([line, count]) => other.get(line) === count)
}

/** Leaves out the lines of others. */
export function without(lines: Lines, others: Lines): Lines {
  return new Map([...lines].filter(([line]) => !others.has(line)))
}

/** A line with an id or an amount, or of a list, such as "history.0: checkout.paid". */
const WEAK_MARK = /\{(?!order\})|^\S*\.\d/

/**
 * Whether a line stands there by which a payment is recognized. A shop may keep ids and amounts of a payment that is
 * not right, or a list of all events, so these lines count only if a payment adds nothing else.
 */
function isMarked(now: Lines, marks: Lines): boolean {
  const strong = [...marks].filter(([line]) => !WEAK_MARK.test(line))
  return (strong.length > 0 ? strong : [...marks]).some(([line, count]) => (now.get(line) ?? 0) >= count)
}

/** What may have to be true of an order after an event, given the lines that one payment adds. */
export const FACTS = {
  'the state is as before': (before: Lines, now: Lines) => isSame(before, now),
  'the state has changed': (before: Lines, now: Lines) => !isSame(before, now),
  'the order is paid': (_: Lines, now: Lines, marks: Lines) => isMarked(now, marks),
  'the order is not paid': (_: Lines, now: Lines, marks: Lines) => !isMarked(now, marks),
  'the order is paid exactly once': (_: Lines, now: Lines, marks: Lines) =>
    marks.size > 0 && [...marks].every(([line, count]) => now.get(line) === count),
} as const satisfies Readonly<Record<string, (before: Lines, now: Lines, marks: Lines) => boolean>>
export type Fact = keyof typeof FACTS
/** The facts that are true only when the work for an event is done. */
export const AFTER_WORK: readonly Fact[] = ['the state has changed', 'the order is paid']

/**
 * Returns how an order is paid of which a fact is not true, if the state tells. It is paid too rarely if a line of a
 * payment is missing, and too often if one stands there more often, or with a greater number.
 */
export function failureIn(wrong: Fact, now: Lines, marks: Lines) {
  if (wrong === 'the order is not paid') {
    return 'paid too early'
  }

  const different = [...marks].filter(([line, count]) => now.get(line) !== count).map(([line]) => line)
  if (different.length === 0 || wrong === 'the state is as before') {
    return null
  }

  const isRepeated = (line: string) => (now.get(line) ?? 0) > (marks.get(line) ?? 0) || hasGrown(line, now)
  return different.some(isRepeated) ? 'paid too often' : 'paid too rarely'
}

/** Whether a line that ends with a number, such as "shipments: 1", stands there with a greater one. */
function hasGrown(line: string, now: Lines): boolean {
  const { name, number } = /^(?<name>.*?)(?<number>\d+)$/.exec(line)?.groups ?? {}
  if (name === undefined) {
    return false
  }

  return [...now.keys()].some(
    (other) => other.startsWith(name) && Number(other.slice(name.length)) > Number(number),
  )
}

/** Whether one of the lines has a number, which is greater if something happens twice. Names do not count. */
export function hasNumber(lines: Lines): boolean {
  return [...lines.keys()].some((line) => /\d/.test(line.replace(/^\S*: /, '')))
}

/** Says for people how a state has changed, and what it lacks of a payment. */
export function describe(before: Lines, now: Lines, marks: Lines | null = null): string {
  const lost = linesAdded(now, before)
  const added = linesAdded(before, now)
  const isSame = lost.size + added.size === 0
  const change = isSame
    ? `still says: ${listed(now) || 'nothing'}`
    : `said: ${listed(lost) || 'nothing of this'}, and now: ${listed(added) || 'no more'}`
  if (!marks) {
    return `--state ${change}.`
  }

  const lacking = linesAdded(now, marks)
  const lack = lacking.size === marks.size ? 'all of it' : listed(lacking)
  return `--state ${change}. Paid looked like: ${listed(marks)}; this lacks ${lack}.`
}

function listed(lines: Lines): string {
  return [...lines].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line)).join('; ')
}
