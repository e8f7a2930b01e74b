/** The command `erase`, for a person who requests the erasure of personal data. */

import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Erasure, Subject } from '../transactions/masking.ts'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { readConfig } from '../config.ts'
import { email as emailSchema } from '../contract/fields.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'
import { createMasks } from '../engine.ts'
import { createFingerprints } from '../fingerprints.ts'
import { accountOf } from '../merchant.ts'
import { erase } from '../transactions/masking.ts'
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
  const store = await openConfiguredStore(config, { isCommand: true })
  try {
    const fingerprints = createFingerprints(config.sealingSecrets)
    const deps = { store, account: accountOf(config), masks: createMasks(fingerprints), fingerprints }
    const erasure = await erase(deps, subject)
    return { erasure, isLogEmpty: await store.truncateLog() }
  } finally {
    await store.close()
  }
}

function textOf({ erased, waiting }: Erasure): string {
  if (erased.length + waiting.length === 0) return 'The store has nothing of this person that is not masked.'
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
