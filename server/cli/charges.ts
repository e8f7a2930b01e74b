/** The commands `charges send`, `charges status`, `charges list` and `charges acknowledge`. */

import type { Command } from 'commander'
import type { ResultOptions } from './command.ts'
import type { ConfirmOptions } from './confirmation.ts'
import type { ExitCode } from './exit-code.ts'
import type { SentKind } from './send-file.ts'
import type { Shell } from './shell.ts'
import { Argument } from 'commander'
import { TrackedCharge, TrackedFulfilment } from '../api/charge.ts'
import { CONFIRMATIONS } from '../contract/charge.ts'
import { withApi } from './api-client.ts'
import { addQuery, addRetrieval, addTransactionList, showResult } from './command.ts'
import { addYes, confirmInProduction } from './confirmation.ts'
import { EXIT } from './exit-code.ts'
import { addSend } from './send-file.ts'
import { fieldList, itemTable, outcomeText } from './table.ts'

const CHARGES: SentKind<TrackedCharge> = {
  noun: 'charge',
  paysOut: false,
  path: '/charges',
  pathOf: () => '/charges',
  schema: TrackedCharge,
  referenceOf: ({ external_reference }) => external_reference,
  asTable: (charges) => itemTable(COLUMNS, charges.map(cellsOf)),
  asText: chargeText,
}

const COLUMNS = [
  'external_reference',
  'outcome',
  'status',
  'amount',
  'fulfilment',
  'updated_at',
  'reason or redirect_url',
] as const
const FIELDS = [
  'external_reference',
  'outcome',
  'status',
  'amount',
  'amount_paid',
  'split',
  'fulfilment',
  'reason',
  'redirect_url',
  'auth_url',
  'created_at',
  'updated_at',
] as const
const FULFILMENT_FIELDS = ['stage', 'status', 'narration', 'payment_id', 'message'] as const

const EXIT_BY_STAGE = {
  open: EXIT.refused,
  decided: EXIT.unclear,
  confirmed: EXIT.ok,
  refused: EXIT.refused,
} as const satisfies Record<TrackedFulfilment['stage'], ExitCode>

interface AcknowledgeOptions extends ResultOptions, ConfirmOptions {
  narration: string
}

export function addCharges(program: Command, shell: Shell): void {
  const charges = program.command('charges').description('send, track and acknowledge charges')
  addSend(charges, shell, CHARGES, 'charges send bill.json')
  addRetrieval(charges, shell, CHARGES, {
    name: 'status',
    description: 'query the status of a charge',
    example: 'charges status BILL-2026-11-0001',
    argument: ['<reference>', 'its external_reference'],
  })
  addTransactionList(charges, shell, 'charges list --outcome needs_attention', CHARGES)
  const acknowledge = addQuery(
    charges,
    'acknowledge',
    'acknowledge a charge: SUCCESSFUL pays out the splits, FAILED refunds the payer',
    'charges acknowledge BILL-2026-11-0001 FAILED --narration "Sold out"',
  )
  addYes(acknowledge)
    .argument('<reference>', 'external_reference, or the merchant_transaction_id of a checkout with splits')
    .addArgument(new Argument('<status>', 'whether the service was delivered').choices(CONFIRMATIONS))
    .requiredOption('--narration <text>', 'the reason, for the gateway')
    .action(async (reference: string, status: string, { narration, ...options }: AcknowledgeOptions) => {
      await confirmInProduction(shell, `Acknowledges ${reference} as ${status}`, options)
      await withApi(shell, async (api) => {
        const path = `/charges/${encodeURIComponent(reference)}/acknowledge`
        const acknowledged = api.post(path, TrackedFulfilment, { status, narration })
        const { value, body } = await shell.waitFor('Sending the acknowledgement', acknowledged)
        showResult(shell, options, body, () => fieldList(FULFILMENT_FIELDS, value))
        shell.exitCode = EXIT_BY_STAGE[value.stage]
      })
    })
}

function chargeText(charge: TrackedCharge): string {
  const { currency, split_settlements, status } = charge
  return fieldList(FIELDS, {
    ...cellsOf(charge),
    outcome: outcomeText(charge),
    status,
    amount_paid: `${charge.amount_paid} ${currency}`,
    split: split_settlements.map(({ account, amount }) => `${amount} ${currency} to ${account}`),
  })
}

function cellsOf(charge: TrackedCharge) {
  const { status, refusal, attention, redirect_url, auth_url, fulfilment } = charge
  const refused = [refusal?.status_description, refusal?.message].filter(Boolean).join(': ') || null
  /** Why the charge needs attention, or why the gateway refused the charge. */
  const reason = attention ?? refused
  return {
    ...charge,
    status: status ?? refusal?.status_code ?? null,
    amount: `${charge.amount} ${charge.currency}`,
    fulfilment: fulfilment.status === null ? fulfilment.stage : `${fulfilment.status}, ${fulfilment.stage}`,
    reason,
    'reason or redirect_url': reason ?? redirect_url ?? auth_url,
  }
}
