/** Sends payouts from a file. */

import type { ExitCode } from '../exit-code.ts'
import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { TrackedPayout } from '../../api/payout.ts'
import { sendFile } from '../send.ts'
import { payoutTable } from './table.ts'

const ADDRESS = { local: '/payouts', imt: '/payouts/imt', b2b: '/payouts/b2b' } as const

interface SendOptions extends ResultOptions {
  type: keyof typeof ADDRESS
}

export function send(shell: Shell, file: string, options: SendOptions): Promise<ExitCode> {
  const path = ADDRESS[options.type]
  return sendFile(shell, file, options, { noun: 'payout', path, item: TrackedPayout, asText: payoutTable })
}
