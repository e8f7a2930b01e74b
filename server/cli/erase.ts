/**
 * The command `erase`, for a person who requests the erasure of personal data. Each kind of transaction decides what is
 * erased of it.
 */

import { readConfig } from '../config/config.ts'
import { email as emailSchema } from '../contract/fields.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'
import { loadKind } from '../load-kind.ts'
import { printable } from '../log/printable.ts'
import { createSealer, withPersonal, createFingerprints } from '../privacy/personal.ts'
import { accountOf } from '../store/merchant.ts'
import { findByReference } from '../transactions/find.ts'
import { RecordError } from '../transactions/record.ts'
import { eraseFrom } from '../transactions/retention.ts'
import { systemRandomness } from '../work/randomness.ts'
import { command, JSON_OPTION } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'
import { withStore } from './store.ts'

import type { Config } from '../config/config.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'
import type { Concerns } from '../transactions/kind.ts'

export const erase = command({
  text: "erase a person's data in settled transactions, also while the server runs",
  options: {
    phone: { type: 'string', text: 'the phone number of the person' },
    email: { type: 'string', text: 'the e-mail address of the person' },
    reference: { type: 'string', text: 'everybody in the transactions with this reference' },
    ...JSON_OPTION,
  },
  examples: ['--phone 254700000001', '--email asha@example.com', '--reference WAGES-2026-11-0001'],
  async run(shell, { json, ...subjectOptions }) {
    const config = readConfig(shell.env)
    const subject = readSubject(subjectOptions, config)
    const erasure: Erasure = { erased: [], waiting: [] }
    const isLogEmpty = await withStore(config, async (opened) => {
      const store = withPersonal(opened, createSealer(config.sealingSecrets, systemRandomness))
      for await (const { row, concerns } of findRows(store, config, subject)) {
        await eraseIn(store, row, concerns, erasure)
      }

      return store.truncateLog()
    })
    shell.show({ json }, erasure, () => textOf(erasure))
    if (!isLogEmpty) {
      shell.inform('Another process reads the file: old data remain in its WAL. Run the command again.')
    }
    if (erasure.waiting.length > 0) {
      shell.exitCode = EXIT.refused
    }
  },
})

/** Whose data are erased: the data of one person, or of everybody in the transactions with a reference. */
type Subject = { kind: 'phone' | 'email' | 'reference'; text: string }
type SubjectOptions = { [Kind in Subject['kind']]?: string | undefined }

function readSubject(options: SubjectOptions, { country }: Config): Subject {
  const { phone, email, reference } = options
  const wrong = (message: string) => new CommandFailure(EXIT.usage, message)
  if (Object.keys(options).length !== 1) {
    throw wrong('Give one of --phone, --email and --reference.')
  }
  if (reference !== undefined) {
    return { kind: 'reference', text: reference }
  }
  if (email !== undefined) {
    const { data } = emailSchema.safeParse(email)
    if (data === undefined) {
      throw wrong('--email must be an e-mail address.')
    }
    return { kind: 'email', text: data }
  }

  const number = readPhoneNumber(phone ?? '', country)
  if (number === null) {
    throw wrong('--phone must be a phone number with its country code.')
  }
  return { kind: 'phone', text: number }
}

/** The number of transactions that one statement searches: small, so that a running server is not delayed. */
const SEARCHED_AT_ONCE = 200

/** Finds the transactions that may have data of a subject, and how to tell whether data are the subject's. */
async function* findRows(store: Store, config: Config, { kind, text }: Subject) {
  const account = accountOf(config)
  if (kind === 'reference') {
    for (const row of await findByReference({ store, account }, text)) {
      yield { row, concerns: () => true }
    }

    return
  }

  const fingerprints = createFingerprints(config.sealingSecrets).all(kind, text)
  const concerns: Concerns = (people) => people.some((each) => fingerprints.includes(each))
  const texts = fingerprints.map((each) => each.toLowerCase())
  let after: string | null = ''
  while (after !== null) {
    const { rows, next } = await store.findMentioning(account, texts, after, SEARCHED_AT_ONCE)
    for (const row of rows) {
      yield { row, concerns }
    }

    after = next
  }
}

/** What names a transaction to a person. */
type RowName = Pick<Transaction, 'kind' | 'reference' | 'group' | 'attempt'>

interface Erasure {
  /** The transactions whose data were erased now. */
  erased: RowName[]
  /** The transactions whose data cannot be erased yet, and why. Running the command again erases them. */
  waiting: (RowName & { why: string })[]
}

/** An attempt to erase fails if the transaction changes at the same time. */
const MAX_ATTEMPTS = 5

async function eraseIn(store: Store, row: Transaction, concerns: Concerns, erasure: Erasure): Promise<void> {
  const { kind, reference, group, attempt } = row
  const rules = await loadKind(kind)
  const name: RowName = { kind, reference, group, attempt }
  const wait = (why: string) => void erasure.waiting.push({ ...name, why })
  try {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const current = await store.find(row.id)
      const rest = current && rules.erase(rules.read(current), concerns)
      if (!current || !rest) {
        return
      }
      // A text says why the data cannot be erased yet.
      if (typeof rest === 'string') {
        return wait(rest)
      }

      const result = await eraseFrom(store, rules, current, rest)
      if (result === 'undelivered') {
        return wait('an event about it is not delivered yet')
      }
      if (result === 'erased') {
        return void erasure.erased.push(name)
      }
    }

    wait('it is changing at the moment')
  } catch (error) {
    if (!(error instanceof RecordError)) {
      throw error
    }

    wait('its record cannot be read')
  }
}

function textOf({ erased, waiting }: Erasure): string {
  if (erased.length + waiting.length === 0) {
    return 'The store has nothing of this person.'
  }

  const lines = (rows: readonly RowName[]) =>
    rows.map((row) => `\n  ${Object.values(row).map(printable).join('  ')}`).join('')
  const paragraphs = ['Backups that were made before still contain the data.']
  if (waiting.length > 0) {
    paragraphs.unshift(`Waiting: ${waiting.length}. Run the command again later.${lines(waiting)}`)
  }
  if (erased.length > 0) {
    paragraphs.unshift(`Erased: ${erased.length}${lines(erased)}`)
  }
  return paragraphs.join('\n\n')
}
