/**
 * The command `erase`, for a person who requests the erasure of personal data. What is erased of a transaction is
 * decided by `erase` of its kind.
 */

import type { Config } from '../config/config.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Concerns } from '../transactions/kind.ts'
import { readConfig } from '../config/config.ts'
import { email as emailSchema } from '../contract/fields.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'
import { kinds } from '../engine.ts'
import { accountOf } from '../store/merchant.ts'
import { printable } from '../log/printable.ts'
import { createSealer, withPersonal, createFingerprints } from '../privacy/personal.ts'
import { systemRandomness } from '../work/randomness.ts'
import { findByReference, RecordError } from '../transactions/record.ts'
import { command, JSON_OPTION } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'
import { withStore } from './store.ts'

export const erase = command({
  text: "erase a person's data in settled transactions, also while the server runs",
  options: {
    phone: { type: 'string', text: 'the phone number of the person' },
    email: { type: 'string', text: 'the e-mail address of the person' },
    reference: { type: 'string', text: 'everybody in the transactions with this reference' },
    ...JSON_OPTION,
  },
  examples: ['--phone 254700000001', '--email asha@example.com', '--reference WAGES-2026-11-0001'],
  async run(shell, { json, ...given }) {
    const config = readConfig(shell.env)
    const subject = readSubject(given, config)
    const erasure: Erasure = { erased: [], waiting: [] }
    const isLogEmpty = await withStore(config, async (opened) => {
      const store = withPersonal(opened, createSealer(config.sealingSecrets, systemRandomness))
      for await (const [row, concerns] of find(store, config, subject))
        await eraseIn(store, row, concerns, erasure)
      return store.truncateLog()
    })
    shell.show({ json }, erasure, () => textOf(erasure))
    if (!isLogEmpty)
      shell.inform('Another process reads the file: old data remain in its WAL. Run the command again.')
    if (erasure.waiting.length > 0) shell.exitCode = EXIT.refused
  },
})

/** Whose data are erased: the data of one person, or of everybody in the transactions with a reference. */
type Subject = { of: 'phone' | 'email' | 'reference'; text: string }

function readSubject(given: { [Name in Subject['of']]?: string | undefined }, { country }: Config): Subject {
  const { phone, email, reference } = given
  const wrong = (message: string) => new CommandFailure(EXIT.usage, message)
  if (Object.keys(given).length !== 1) throw wrong('Give one of --phone, --email and --reference.')
  if (reference !== undefined) return { of: 'reference', text: reference }
  if (email !== undefined) {
    const { data } = emailSchema.safeParse(email)
    if (data === undefined) throw wrong('--email must be an e-mail address.')
    return { of: 'email', text: data }
  }
  const number = readPhoneNumber(phone ?? '', country)
  if (number === null) throw wrong('--phone must be a phone number with its country code.')
  return { of: 'phone', text: number }
}

/** The number of transactions that one statement searches: small, so that a running server is not delayed. */
const SEARCHED_AT_ONCE = 200

/** Finds the transactions that may have data of a subject. */
async function* find(store: Store, config: Config, { of, text }: Subject) {
  const account = accountOf(config)
  if (of === 'reference') {
    for (const row of await findByReference({ store, account }, text))
      yield [row, (): boolean => true] as const
    return
  }
  const fingerprints = createFingerprints(config.sealingSecrets).all(of, text)
  const concerns: Concerns = (people) => people.some((each) => fingerprints.includes(each))
  const texts = fingerprints.map((each) => each.toLowerCase())
  for (let after: string | null = ''; after !== null;) {
    const part = await store.findMentioning(account, texts, after, SEARCHED_AT_ONCE)
    for (const row of part.rows) yield [row, concerns] as const
    after = part.next
  }
}

type Named = Pick<Transaction, 'kind' | 'reference' | 'group' | 'attempt'>

interface Erasure {
  /** The transactions whose data were erased now. */
  erased: Named[]
  /** The transactions whose data cannot be erased yet. `why` is the reason. Running the command again erases them. */
  waiting: (Named & { why: string })[]
}

/** An attempt to erase fails if the transaction changes at the same time. */
const MAX_ATTEMPTS = 5

async function eraseIn(store: Store, row: Transaction, concerns: Concerns, erasure: Erasure): Promise<void> {
  const { kind, reference, group, attempt } = row
  const ofKind = kinds[kind]
  const named = { kind, reference, group, attempt }
  const wait = (why: string) => void erasure.waiting.push({ ...named, why })
  try {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const current = await store.find(row.id)
      const found = current && ofKind.erase(ofKind.read(current), concerns)
      if (!current || !found) return
      if (typeof found === 'string') return wait(found)
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

function textOf({ erased, waiting }: Erasure): string {
  if (erased.length + waiting.length === 0) return 'The store has nothing of this person.'
  const lines = (rows: readonly Named[]) =>
    rows.map((row) => `\n  ${Object.values(row).map(printable).join('  ')}`).join('')
  const later = `Waiting: ${waiting.length}. Run the command again later.`
  return [
    ...(erased.length > 0 ? [`Erased: ${erased.length}${lines(erased)}`] : []),
    ...(waiting.length > 0 ? [`${later}${lines(waiting)}`] : []),
    'Backups that were made before still contain the data.',
  ].join('\n\n')
}
