/** What the float account holds. */

import type { ResultOptions } from './result.ts'
import type { Shell } from './shell.ts'
import { Balance } from '../contract/account.ts'
import { withApi } from './api.ts'
import { showResult } from './result.ts'
import { list } from './table.ts'

export async function balance(
  shell: Shell,
  account: string | undefined,
  options: ResultOptions,
): Promise<void> {
  await withApi(shell, async (api) => {
    const number = account ?? api.config.gateway.accountNumber
    const asked = api.get(`/accounts/${encodeURIComponent(number)}/balance`, Balance)
    const { value, body } = await shell.waitFor('Asking for the balance', asked)
    showResult(shell, options, body, () =>
      list([
        ['account', number],
        ['balance', `${value.balance} ${value.currency}`],
        ['status', value.status],
      ]),
    )
  })
}
