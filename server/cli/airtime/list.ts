/** Airtime in the order of its last change. */

import type { ListOptions } from '../list.ts'
import type { Shell } from '../shell.ts'
import { ListedAirtime } from '../../api/airtime.ts'
import { showList } from '../list.ts'
import { airtimeTable } from './table.ts'

export async function list(shell: Shell, options: ListOptions): Promise<void> {
  await showList(shell, '/airtime', ListedAirtime, options, airtimeTable)
}
