/** `payouts send`, `payouts status`, `payouts list`. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { Option } from 'commander'
import { TrackedPayout } from '../api/payout.ts'
import { addQuery, addTransactionList, showResource } from './command.ts'
import { sendFile } from './send-file.ts'
import { fieldList, outcomeText, table } from './table.ts'

const PATHS = { local: '/payouts', imt: '/payouts/imt', b2b: '/payouts/b2b' } as const

export function addPayouts(program: Command, shell: Shell): void {
  const payouts = program.command('payouts').description('send and track payouts')
  addQuery(
    payouts,
    'send',
    'send a payout, or a list of payouts, from a JSON file',
    'payouts send wages.json',
    'payouts send - --type b2b --json < suppliers.json',
  )
    .argument('<file>', 'a JSON file, or - for standard input')
    .addOption(
      new Option('--type <type>', 'the type of every payout in the file')
        .choices(Object.keys(PATHS))
        .default('local'),
    )
    .action(async (file: string, options: { type: keyof typeof PATHS; json?: boolean }) => {
      shell.exitCode = await sendFile(shell, file, options, {
        noun: 'payout',
        path: PATHS[options.type],
        item: TrackedPayout,
        asTable: payoutTable,
        referenceOf: ({ payout_reference }) => payout_reference,
      })
    })
  addQuery(payouts, 'status', 'query the status of a payout', 'payouts status WAGES-2026-11-0001')
    .argument('<reference>', 'its payout_reference')
    .action((reference: string, options) =>
      showResource(shell, options, {
        path: `/payouts/${encodeURIComponent(reference)}`,
        schema: TrackedPayout,
        asText: payoutText,
      }),
    )
  addTransactionList(payouts, shell, 'payouts list --outcome needs_attention', {
    path: '/payouts',
    item: TrackedPayout,
    asTable: payoutTable,
  })
}

function payoutText(payout: TrackedPayout): string {
  return fieldList([
    ['payout_reference', payout.payout_reference],
    ['type', payout.type],
    ['outcome', outcomeText(payout)],
    ['payment_status', payout.payment_status],
    ['response_code', payout.response_code],
    ['amount', `${payout.amount} ${payout.currency}`],
    ['reason', reasonOf(payout)],
    ['created_at', payout.created_at],
    ['updated_at', payout.updated_at],
  ])
}

function payoutTable(payouts: readonly TrackedPayout[]): string {
  return table(
    ['payout_reference', 'type', 'outcome', 'status', 'amount', 'updated_at', 'reason'],
    payouts.map((payout) => [
      payout.payout_reference,
      payout.type,
      payout.outcome,
      payout.payment_status ?? payout.response_code,
      `${payout.amount} ${payout.currency}`,
      payout.updated_at,
      reasonOf(payout),
    ]),
  )
}

/** The reason why the payout needs attention, or why the gateway rejected the payout. */
function reasonOf({ attention, error_code, response_description }: TrackedPayout): string | null {
  return attention ?? ([error_code, response_description].filter(Boolean).join(': ') || null)
}
