/** The commands `payouts send`, `payouts status` and `payouts list`. */

import type { Command } from 'commander'
import type { SentKind } from './send-file.ts'
import type { Shell } from './shell.ts'
import { Option } from 'commander'
import { TrackedPayout } from '../api/payout.ts'
import { addRetrieval, addTransactionList } from './command.ts'
import { addSend } from './send-file.ts'
import { fieldList, itemTable, outcomeText } from './table.ts'

const PATHS = { local: '/payouts', imt: '/payouts/imt', b2b: '/payouts/b2b' } as const

interface TypeOption {
  type: keyof typeof PATHS
}

const PAYOUTS: SentKind<TrackedPayout, TypeOption> = {
  noun: 'payout',
  paysOut: true,
  path: '/payouts',
  pathOf: ({ type }) => PATHS[type],
  schema: TrackedPayout,
  referenceOf: ({ payout_reference }) => payout_reference,
  asTable: (payouts) => itemTable(COLUMNS, payouts.map(cellsOf)),
  asText: (payout) => fieldList(FIELDS, { ...cellsOf(payout), outcome: outcomeText(payout) }),
}

const COLUMNS = ['payout_reference', 'type', 'outcome', 'status', 'amount', 'updated_at', 'reason'] as const
const FIELDS = [
  'payout_reference',
  'type',
  'outcome',
  'payment_status',
  'response_code',
  'amount',
  'reason',
  'created_at',
  'updated_at',
] as const

export function addPayouts(program: Command, shell: Shell): void {
  const payouts = program.command('payouts').description('send and track payouts')
  const examples = ['payouts send wages.json', 'payouts send - --type b2b --json < suppliers.json']
  addSend(payouts, shell, PAYOUTS, ...examples).addOption(
    new Option('--type <type>', 'the type of every payout in the file')
      .choices(Object.keys(PATHS))
      .default('local'),
  )
  addRetrieval(payouts, shell, PAYOUTS, {
    name: 'status',
    description: 'query the status of a payout',
    example: 'payouts status WAGES-2026-11-0001',
    argument: ['<reference>', 'its payout_reference'],
  })
  addTransactionList(payouts, shell, 'payouts list --outcome needs_attention', PAYOUTS)
}

function cellsOf(payout: TrackedPayout) {
  const { payment_status, response_code, amount, currency, attention, error_code } = payout
  const rejection = [error_code, payout.response_description].filter(Boolean).join(': ') || null
  return {
    ...payout,
    status: payment_status ?? response_code,
    amount: `${amount} ${currency}`,
    /** Why the payout needs attention, or why the gateway rejected the payout. */
    reason: attention ?? rejection,
  }
}
