/** Sends charges from a file. */

import type { ExitCode } from '../exit-code.ts'
import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { TrackedCharge } from '../../api/charge.ts'
import { sendFile } from '../send.ts'
import { chargeTable } from './table.ts'

export function send(shell: Shell, file: string, options: ResultOptions): Promise<ExitCode> {
  const path = '/charges'
  return sendFile(shell, file, options, { noun: 'charge', path, item: TrackedCharge, asText: chargeTable })
}
