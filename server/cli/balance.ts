/** `balance`: the balance of a float account. */

import type { Command } from 'commander'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { readConfig } from '../config.ts'
import { Balance } from '../contract/account.ts'
import { addQuery, showResource } from './command.ts'
import { fieldList } from './table.ts'

export function addBalance(program: Command, shell: Shell): void {
  addQuery(program, 'balance', 'retrieve the balance of a float account', 'balance --json')
    .argument('[account]', 'account number; default: GATEWAY_ACCOUNT_NUMBER')
    .action((given: string | undefined, options: ResultOptions) => {
      const account = given ?? readConfig(shell.env).gateway.accountNumber
      return showResource(shell, options, {
        path: `/accounts/${encodeURIComponent(account)}/balance`,
        schema: Balance,
        asText: ({ balance, currency, status }) =>
          fieldList([
            ['account', account],
            ['balance', `${balance} ${currency}`],
            ['status', status],
          ]),
      })
    })
}
