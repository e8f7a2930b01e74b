/** Payouts in the order of their last change. */

import type { ListOptions } from '../list.ts'
import type { Shell } from '../shell.ts'
import { TrackedPayout } from '../../api/payout.ts'
import { showList } from '../list.ts'
import { payoutTable } from './table.ts'

export async function list(shell: Shell, options: ListOptions): Promise<void> {
  await showList(shell, '/payouts', TrackedPayout, options, payoutTable)
}
