/** Payouts in the order of their last change. */

import type { ListOptions } from '../list-options.ts'
import type { Shell } from '../shell.ts'
import { TrackedPayout } from '../../contract/tracked-payout.ts'
import { pageOf } from '../../routes/listing.ts'
import { withApi } from '../api.ts'
import { listQueryOf } from '../list-options.ts'
import { showPage } from '../result.ts'
import { payoutTable } from './table.ts'

export async function list(shell: Shell, options: ListOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const page = await api.get('/payouts', pageOf(TrackedPayout), listQueryOf(options))
    showPage(shell, options, page, payoutTable)
  })
}
