/** Counts the prompts that are sent to phones, and refuses one that exceeds a limit (`rate-limits/prompts.ts`). */

import { referenceKey } from '../../contract/comparison-keys.ts'
import { LONGEST_WINDOW_MS, PROMPT_LIMITS } from '../../rate-limits/prompts.ts'
import { ACCOUNT } from './fragments.ts'

import type { Dialect } from '../dialect.ts'
import type { Work } from '../driver.ts'
import type { NewTransaction } from '../transactions.ts'
import type { DatabaseStatements } from './database.ts'

export type PromptStatements = ReturnType<typeof promptStatements>

export function promptStatements({ schema }: Dialect) {
  const prompts = `${schema}prompts`
  const parameterOf = { account: '$1', phone: '$2', network: '$3', order: '$4' }
  const withinLimits = PROMPT_LIMITS.map(({ of, isOfPhones, most, windowMs }) => {
    const values = isOfPhones ? 'DISTINCT phone' : '*'
    const ofOthers = isOfPhones ? 'AND phone <> $2' : ''
    const inWindow = `at > CAST($5 AS bigint) - ${windowMs}`
    const condition = `${ACCOUNT} AND "${of}" = ${parameterOf[of]} ${ofOthers} AND ${inWindow}`
    return `(SELECT count(${values}) FROM ${prompts} WHERE ${condition}) < ${most}`
  })
  return {
    forgetPrompts: `
      DELETE FROM ${prompts} WHERE ${ACCOUNT}
        AND (at <= CAST($2 AS bigint) - ${LONGEST_WINDOW_MS} OR at >= CAST($2 AS bigint) + ${LONGEST_WINDOW_MS})`,
    // Adds the prompt of $1 to $4 at the time $5 if it stays within all limits.
    addPrompt: `
      INSERT INTO ${prompts} (account, phone, network, "order", at) SELECT $1, $2, $3, $4, $5
      WHERE ${withinLimits.join(' AND ')} RETURNING at`,
  }
}

/** Adds the prompt that the transaction sends, if there is one. Returns `false` if it exceeds a limit. */
export function* addPrompt(
  sql: PromptStatements & DatabaseStatements,
  { prompt, account, group, created_at }: NewTransaction,
): Work<boolean> {
  if (!prompt) {
    return true
  }

  yield [sql.oneByOne]
  yield [sql.forgetPrompts, account, created_at]
  const order = referenceKey(group)
  const added = yield [sql.addPrompt, account, prompt.phone, prompt.network, order, created_at]
  return added.length > 0
}
