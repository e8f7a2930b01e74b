/** The command `erase`, for a person who requests the erasure of personal data. */

import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import type { Fingerprints } from '../privacy/fingerprints.ts'
import type { MerchantAccount, Store, Transaction } from '../store/store.ts'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { determineOutcome as recipientOutcome } from '../airtime/recipients.ts'
import { readAirtime } from '../airtime/record.ts'
import { readCharge } from '../charges/record.ts'
import { readCheckout } from '../checkouts/record.ts'
import { readConfig } from '../config/config.ts'
import { email as emailSchema } from '../contract/fields.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'
import { createFingerprints } from '../privacy/fingerprints.ts'
import { readPayout } from '../payouts/record.ts'
import { determineOutcome as payoutOutcome } from '../payouts/transition.ts'
import { accountOf } from '../store/merchant.ts'
import { createSealer, split, withPersonal } from '../privacy/personal.ts'
import { systemRandomness } from '../work/randomness.ts'
import { RecordError } from '../transactions/record.ts'
import { findByReference } from '../transactions/record.ts'
import { addQuery, showResult } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { openConfiguredStore, refuseMemory } from './open-store.ts'
import { itemTable } from './table.ts'

interface EraseOptions extends ResultOptions {
  phone?: string
  email?: string
  reference?: string
}

export function addErase(program: Command, shell: Shell): void {
  addQuery(
    program,
    'erase',
    "erase a person's data in settled transactions, also while the server runs",
    'erase --phone 254700000001',
    'erase --email asha@example.com',
    'erase --reference WAGES-2026-11-0001',
  )
    .option('--phone <number>', 'the phone number of the person')
    .option('--email <address>', 'the e-mail address of the person')
    .option('--reference <reference>', 'everybody in the transactions with this reference')
    .action(async (options: EraseOptions) => {
      const config = readConfig(shell.env)
      const subject = readSubject(options, config)
      const { erasure, isLogEmpty } = await eraseInStore(config, subject)
      showResult(shell, options, erasure, () => textOf(erasure))
      if (!isLogEmpty)
        shell.inform('Another process reads the file: old data remain in its WAL. Run the command again.')
      if (erasure.waiting.length > 0) shell.exitCode = EXIT.refused
    })
}

function readSubject(options: EraseOptions, { country }: Config): Subject {
  const { phone, email, reference } = options
  const given = [phone, email, reference].filter((value) => value !== undefined)
  if (given.length !== 1)
    throw new CommandFailure(EXIT.usage, 'Give one of --phone, --email and --reference.')
  if (reference !== undefined) return { reference }
  if (email !== undefined) {
    const { data } = emailSchema.safeParse(email)
    if (data === undefined) throw new CommandFailure(EXIT.usage, '--email must be an e-mail address.')
    return { email: data }
  }
  const number = readPhoneNumber(phone ?? '', country)
  if (number === null)
    throw new CommandFailure(EXIT.usage, '--phone must be a phone number with its country code.')
  return { phone: number }
}

async function eraseInStore(
  config: Config,
  subject: Subject,
): Promise<{ erasure: Erasure; isLogEmpty: boolean }> {
  refuseMemory(config)
  const opened = await openConfiguredStore(config, { isCommand: true })
  const store = withPersonal(opened, createSealer(config.sealingSecrets, systemRandomness))
  try {
    const fingerprints = createFingerprints(config.sealingSecrets)
    const erasure = await erase({ store, account: accountOf(config), fingerprints }, subject)
    return { erasure, isLogEmpty: await store.truncateLog() }
  } finally {
    await store.close()
  }
}

/** Whose data are erased: the data of one person, or of everybody in the transactions with a reference. */
type Subject = { phone: string } | { email: string } | { reference: string }

/** The person with one of these fingerprints, or everybody. */
type Person = 'everybody' | ReadonlySet<string>

type Named = Pick<Transaction, 'kind' | 'reference' | 'group' | 'attempt'>

interface Erasure {
  /** The transactions whose data were erased now. */
  erased: Named[]
  /** The transactions whose data cannot be erased yet. `why` is the reason. */
  waiting: (Named & { why: string })[]
}

interface ErasureDeps {
  store: Store
  account: MerchantAccount
  fingerprints: Fingerprints
}

/** The number of transactions that one statement searches: small, so that a running server is not delayed. */
const SEARCHED_AT_ONCE = 200
/** An attempt to erase fails if the transaction changes at the same time. */
const MAX_ATTEMPTS = 5

/** Erases the data of a subject. To erase data that had to wait, call this function again later. */
async function erase({ store, account, fingerprints }: ErasureDeps, subject: Subject): Promise<Erasure> {
  const erasure: Erasure = { erased: [], waiting: [] }
  if ('reference' in subject) {
    for (const row of await findByReference({ store, account }, subject.reference))
      await eraseIn(store, row, 'everybody', erasure)
    return erasure
  }
  const person =
    'phone' in subject ? fingerprints.all('phone', subject.phone) : fingerprints.all('email', subject.email)
  const texts = person.map((text) => text.toLowerCase())
  for (let after: string | null = ''; after !== null;) {
    const part = await store.findMentioning(account, texts, after, SEARCHED_AT_ONCE)
    for (const row of part.rows) await eraseIn(store, row, new Set(person), erasure)
    after = part.next
  }
  return erasure
}

async function eraseIn(store: Store, row: Transaction, person: Person, erasure: Erasure): Promise<void> {
  const { kind, reference, group, attempt } = row
  const named = { kind, reference, group, attempt }
  const wait = (why: string) => void erasure.waiting.push({ ...named, why })
  try {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const current = await store.find(row.id)
      const found = current && ERASE[kind](current, person)
      if (!current || !found) return
      if ('why' in found) return wait(found.why)
      const result = await store.erase(row.id, current.version, { record: found.record }, found.parts)
      if (result === 'undelivered') return wait('an event about it is not delivered yet')
      if (result === 'erased') return void erasure.erased.push(named)
    }
    wait('it is changing at the moment')
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    wait('its record cannot be read')
  }
}

/**
 * The record without the data of a person, and the parts of the transaction (`about`) whose events are deleted, all if
 * `null`; or why the data are still needed.
 */
type Found = { record: unknown; parts: readonly string[] | null } | { why: string }

/** Finds what a transaction has of a person; `null` if it has nothing. */
const ERASE: Readonly<Record<Transaction['kind'], (row: Transaction, person: Person) => Found | null>> = {
  checkout: (row, person) => erasePayer(readCheckout(row).record, person),
  charge: (row, person) => erasePayer(readCharge(row).record, person),
  payout(row, person) {
    const { record } = readPayout(row)
    const { request, people } = record.submission
    if (request === null || !concerns(person, people)) return null
    const isNeeded = record.phase === 'intended' || !payoutOutcome(record).settled
    return isNeeded ? underWay(row) : { record: split(record).record, parts: null }
  },
  airtime(row, person) {
    const { record } = readAirtime(row)
    const concerned = record.recipients.filter(
      ({ phone_number, fingerprint }) => phone_number !== null && concerns(person, [fingerprint]),
    )
    if (concerned.length === 0) return null
    if (record.phase === 'intended' || !concerned.every((each) => recipientOutcome(record, each).settled))
      return underWay(row)
    const recipients = record.recipients.map((recipient) =>
      concerned.includes(recipient)
        ? {
            ...recipient,
            phone_number: null,
            reported: recipient.reported && { ...recipient.reported, message: null },
          }
        : recipient,
    )
    return { record: { ...record, recipients }, parts: concerned.map(({ fingerprint }) => fingerprint) }
  },
}

/** Of a payer, only fingerprints are left once the gateway has accepted or refused the payment. */
function erasePayer(record: { phase: string; people: readonly string[] }, person: Person): Found | null {
  if (record.people.length === 0 || !concerns(person, record.people)) return null
  if (record.phase === 'intended') return { why: 'the gateway has not accepted or refused it yet' }
  return { record: { ...record, people: [] }, parts: [] }
}

function underWay({ outcome }: Transaction): Found {
  return { why: `it is under way (${outcome})` }
}

function concerns(person: Person, fingerprints: readonly string[]): boolean {
  return person === 'everybody' || fingerprints.some((fingerprint) => person.has(fingerprint))
}

function textOf({ erased, waiting }: Erasure): string {
  if (erased.length + waiting.length === 0) return 'The store has nothing of this person.'
  const parts = [
    ...(erased.length > 0 ? [`Erased: ${erased.length}\n${itemTable(COLUMNS, erased)}`] : []),
    ...(waiting.length > 0
      ? [
          `Waiting: ${waiting.length}. Run the command again later.\n${itemTable([...COLUMNS, 'why'], waiting)}`,
        ]
      : []),
    'Backups that were made before still contain the data.',
  ]
  return parts.join('\n\n')
}

const COLUMNS = ['kind', 'reference', 'group', 'attempt'] as const
