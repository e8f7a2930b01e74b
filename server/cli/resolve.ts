/** The command `resolve`, with which a person records what the gateway's support said about a transaction. */

import { z } from 'zod'

import { KindName, KINDS } from '../api/kind-table.ts'
import { printable } from '../log/printable.ts'
import { SAYS } from '../transactions/resolution.ts'
import { callApi, refusalOf } from './api.ts'
import { askInProduction, command, JSON_OPTION, wrongUsage } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'

import type { Shell } from './shell.ts'

export const resolve = command({
  text: "record what the gateway's support said about a transaction that asking cannot find out; moves no money",
  takes: '<reference>',
  options: {
    says: { type: 'string', text: `what became of the money: ${SAYS.join(', ')}` },
    by: { type: 'string', text: 'who says so' },
    note: { type: 'string', text: "what it rests on, such as the support's ticket; no details of a payer" },
    phone: { type: 'string', text: 'of airtime: the phone number of the recipient' },
    yes: { type: 'boolean', text: 'do not ask in production' },
    ...JSON_OPTION,
  },
  examples: [
    'WAGES-2026-11-0001 --says not_paid --by Asha --note "Ticket 4711"',
    'AIRTIME-2026-11-0001 --phone 254700000001 --says paid --by Asha --note "Ticket 4712"',
  ],
  async run(shell, { yes, json, phone, ...options }, reference) {
    const said = readSaid(options)
    const kind = await findKind(shell, reference, phone !== undefined)
    await askInProduction(shell, `Resolves ${kind} ${printable(reference)} as ${said.says}`, { yes })
    const path = `/api/${KINDS[kind].plural}/${encodeURIComponent(reference)}/resolve`
    const body = JSON.stringify({ ...said, phone_number: phone })
    const { body: answer, problem } = await callApi(shell, 'POST', path, body)
    if (problem) {
      throw refusalOf(problem)
    }

    const { outcome } = Answer.parse(answer)
    shell.show({ json }, answer, () => `Resolved: ${kind} ${printable(reference)} is ${outcome}.`)
  },
})

const Answer = z.object({ outcome: z.string() })

/** @throws {CommandFailure} if an option is missing or wrong. */
function readSaid({ says, by, note }: { says?: string; by?: string; note?: string }) {
  if (!SAYS.some((each) => each === says)) {
    throw wrongUsage(`--says must be one of ${SAYS.join(', ')}.`)
  }
  if (by === undefined || note === undefined) {
    throw wrongUsage('--by and --note are required.')
  }
  return { says, by, note }
}

const Found = z.object({
  transactions: z.array(z.object({ kind: KindName, reference: z.string() })),
})

/**
 * Resolves with the kind of the transaction. The kinds have references of their own, so the same one may name several.
 *
 * @throws {CommandFailure} if no transaction, or more than one kind, has this reference.
 */
async function findKind(shell: Shell, reference: string, isAirtime: boolean): Promise<KindName> {
  if (isAirtime) {
    return 'airtime'
  }

  const { body, problem } = await callApi(shell, 'GET', `/api/history/${encodeURIComponent(reference)}`)
  if (problem) {
    throw refusalOf(problem)
  }

  const { transactions } = Found.parse(body)
  const refuse = (message: string) => new CommandFailure(EXIT.usage, message)
  // An order may have several checkouts, each of which has a reference of its own.
  const named = transactions.filter((each) => each.kind !== 'checkout' || each.reference === reference)
  const [kind, ...others] = [...new Set(named.map((each) => each.kind))]
  if (kind === 'airtime' && others.length === 0) {
    throw refuse('Pass --phone with the number of the recipient.')
  }
  if (kind !== undefined && others.length === 0) {
    return kind
  }
  if (kind === undefined) {
    const references = transactions.map((each) => each.reference).join(', ')
    throw refuse(`A checkout is resolved by its merchant_transaction_id: ${references}.`)
  }

  const kinds = [kind, ...others].join(', ')
  throw refuse(`Several transactions have this reference: ${kinds}. Use "api POST /api/…/resolve".`)
}
