/** Compares the movements of a day with a statement of the gateway's portal. Pure. */

import { referenceKey } from '../contract/comparison-keys.ts'

import type { StatementLine } from './statement.ts'

export interface Comparison {
  /** The number of lines that both have. */
  matched: number
  /** The lines of the statement that the table of the day does not have. */
  missing_here: StatementLine[]
  /** The lines of the table of the day that the statement does not have. */
  missing_there: StatementLine[]
}

/** Compares the table of a day with a statement, line by line. Lines that moved no money are left out. */
export function compareLines(day: readonly StatementLine[], statement: readonly StatementLine[]): Comparison {
  const unmatched = new Map<string, StatementLine[]>()
  for (const line of day.filter(hasMoved)) {
    const key = keyOf(line)
    const lines = unmatched.get(key) ?? []
    lines.push(line)
    unmatched.set(key, lines)
  }

  let matched = 0
  const missing_here: StatementLine[] = []
  for (const line of statement.filter(hasMoved)) {
    const candidates = unmatched.get(keyOf(line)) ?? []
    const index = candidates.findIndex((own) => isSameMovement(own, line))
    if (index === -1) {
      missing_here.push(line)
      continue
    }

    candidates.splice(index, 1)
    matched += 1
  }

  return { matched, missing_here, missing_there: [...unmatched.values()].flat() }
}

function hasMoved({ amount }: StatementLine): boolean {
  return !/^-?0$/.test(amount)
}

/** Returns what the lines of one movement have in common. Two references that the gateway takes for one are equal. */
function keyOf({ reference, currency }: StatementLine): string {
  return JSON.stringify([referenceKey(reference), currency])
}

/**
 * Returns whether a line of a statement is about a movement of the day. The line of a movement back may have no sign if
 * its status says that money went back: then the amounts are compared without their signs. Otherwise the sign counts.
 */
function isSameMovement(own: StatementLine, stated: StatementLine): boolean {
  if (!stated.went_back) {
    return own.amount === stated.amount
  }
  return own.went_back && withoutSign(own.amount) === withoutSign(stated.amount)
}

function withoutSign(amount: string): string {
  return amount.replace('-', '')
}
