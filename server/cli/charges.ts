/** `charges send`, `charges status`, `charges list`, `charges acknowledge`. */

import type { Command } from 'commander'
import type { ResultOptions } from './command.ts'
import type { ExitCode } from './exit-code.ts'
import type { Shell } from './shell.ts'
import { Argument } from 'commander'
import { TrackedCharge, TrackedFulfilment } from '../api/charge.ts'
import { CONFIRMATIONS } from '../contract/charge.ts'
import { withApi } from './api-client.ts'
import { addQuery, addTransactionList, showResource, showResult } from './command.ts'
import { EXIT } from './exit-code.ts'
import { sendFile } from './send-file.ts'
import { fieldList, outcomeText, table } from './table.ts'

const EXIT_BY_STAGE = {
  open: EXIT.refused,
  decided: EXIT.unclear,
  confirmed: EXIT.ok,
  refused: EXIT.refused,
} as const satisfies Record<TrackedFulfilment['stage'], ExitCode>

interface AcknowledgeOptions extends ResultOptions {
  narration: string
}

export function addCharges(program: Command, shell: Shell): void {
  const charges = program.command('charges').description('send, track and acknowledge charges')
  addQuery(charges, 'send', 'send a charge, or a list of charges, from a JSON file', 'charges send bill.json')
    .argument('<file>', 'a JSON file, or - for standard input')
    .action(async (file: string, options: ResultOptions) => {
      shell.exitCode = await sendFile(shell, file, options, {
        noun: 'charge',
        path: '/charges',
        item: TrackedCharge,
        asTable: chargeTable,
        referenceOf: ({ external_reference }) => external_reference,
      })
    })
  addQuery(charges, 'status', 'query the status of a charge', 'charges status BILL-2026-11-0001')
    .argument('<reference>', 'its external_reference')
    .action((reference: string, options) =>
      showResource(shell, options, {
        path: `/charges/${encodeURIComponent(reference)}`,
        schema: TrackedCharge,
        asText: chargeText,
      }),
    )
  addTransactionList(charges, shell, 'charges list --outcome needs_attention', {
    path: '/charges',
    item: TrackedCharge,
    asTable: chargeTable,
  })
  addQuery(
    charges,
    'acknowledge',
    'acknowledge a charge: SUCCESSFUL pays out the splits, FAILED refunds the payer',
    'charges acknowledge BILL-2026-11-0001 FAILED --narration "Sold out"',
  )
    .argument('<reference>', 'external_reference, or the merchant_transaction_id of a checkout with splits')
    .addArgument(new Argument('<status>', 'whether the service was delivered').choices(CONFIRMATIONS))
    .requiredOption('--narration <text>', 'the reason, for the gateway')
    .action(async (reference: string, status: string, options: AcknowledgeOptions) => {
      shell.exitCode = await acknowledge(shell, reference, status, options)
    })
}

async function acknowledge(
  shell: Shell,
  reference: string,
  status: string,
  options: AcknowledgeOptions,
): Promise<ExitCode> {
  return withApi(shell, async (api) => {
    const path = `/charges/${encodeURIComponent(reference)}/acknowledge`
    const { narration } = options
    const acknowledged = api.post(path, TrackedFulfilment, { status, narration })
    const { value, body } = await shell.waitFor('Sending the acknowledgement', acknowledged)
    showResult(shell, options, body, () => fieldList(Object.entries(value)))
    return EXIT_BY_STAGE[value.stage]
  })
}

function chargeText(charge: TrackedCharge): string {
  const { currency } = charge
  return fieldList([
    ['external_reference', charge.external_reference],
    ['outcome', outcomeText(charge)],
    ['status', charge.status],
    ['amount', `${charge.amount} ${currency}`],
    ['amount_paid', `${charge.amount_paid} ${currency}`],
    ...charge.split_settlements.map(
      ({ account, amount }) => ['split', `${amount} ${currency} to ${account}`] as const,
    ),
    ['fulfilment', fulfilmentText(charge)],
    ['reason', reasonOf(charge)],
    ['redirect_url', charge.redirect_url],
    ['created_at', charge.created_at],
    ['updated_at', charge.updated_at],
  ])
}

function chargeTable(charges: readonly TrackedCharge[]): string {
  return table(
    [
      'external_reference',
      'outcome',
      'status',
      'amount',
      'fulfilment',
      'updated_at',
      'reason or redirect_url',
    ],
    charges.map((charge) => [
      charge.external_reference,
      charge.outcome,
      charge.status ?? charge.refusal?.status_code ?? null,
      `${charge.amount} ${charge.currency}`,
      fulfilmentText(charge),
      charge.updated_at,
      reasonOf(charge) ?? charge.redirect_url,
    ]),
  )
}

/** Status and stage, such as "SUCCESSFUL, confirmed". */
function fulfilmentText({ fulfilment: { stage, status } }: TrackedCharge): string {
  return status === null ? stage : `${status}, ${stage}`
}

/** The reason why the charge needs attention, or why the gateway refused the charge. */
function reasonOf({ attention, refusal }: TrackedCharge): string | null {
  return attention ?? ([refusal?.status_description, refusal?.message].filter(Boolean).join(': ') || null)
}
