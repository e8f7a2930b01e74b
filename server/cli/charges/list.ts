/** Charges in the order of their last change. */

import type { ListOptions } from '../list.ts'
import type { Shell } from '../shell.ts'
import { TrackedCharge } from '../../api/charge.ts'
import { showList } from '../list.ts'
import { chargeTable } from './table.ts'

export async function list(shell: Shell, options: ListOptions): Promise<void> {
  await showList(shell, '/charges', TrackedCharge, options, chargeTable)
}
