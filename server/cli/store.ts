/** The commands of the store: `backup`, `recover` and `adopt`. */

import type { Command } from 'commander'
import type { ConfirmOptions } from './command.ts'
import type { ExitCode } from './exit-code.ts'
import type { Shell } from './shell.ts'
import { existsSync } from 'node:fs'
import { readConfig } from '../config/config.ts'
import { NoStoreError, OtherMerchantError } from '../store/store.ts'
import { backUpStore, isPostgres, recoverStore } from '../store/open.ts'
import { addCommand, addYes, confirmInProduction } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { openConfiguredStore, refuseMemory, usingStore } from './open-store.ts'

export function addBackup(program: Command, shell: Shell): void {
  const text = 'copy the store to a new file, also while the server runs'
  addCommand(program, 'backup', text, 'backup /backups/2026-11-21.sqlite')
    .argument('<file>', 'the new file')
    .option('--print', 'for Postgres: only print the commands that make and restore a backup')
    .action((file: string, { print = false }: { print?: boolean }) => backUp(shell, file, print))
}

function backUp(shell: Shell, file: string, print: boolean): void {
  const config = readConfig(shell.env)
  refuseMemory(config)
  const { storeUrl } = config
  const no = (exitCode: ExitCode, reason: string, options?: ErrorOptions) =>
    new CommandFailure(exitCode, `There is no backup: ${reason}`, options)
  if (isPostgres(storeUrl.reveal())) {
    shell.print(postgresText(file, storeUrl.reveal()))
    if (print) return
    throw no(EXIT.usage, 'nothing was written. Run the line pg_dump; with --print, this command only prints.')
  }
  if (print) throw new CommandFailure(EXIT.usage, '--print is for Postgres. A SQLite store is copied.')
  if (existsSync(file)) throw no(EXIT.usage, `${file} exists already. Name a new file.`)
  try {
    backUpStore(storeUrl, file, shell.clock.now())
  } catch (cause) {
    if (cause instanceof NoStoreError) throw new CommandFailure(EXIT.config, cause.message, { cause })
    throw no(EXIT.unavailable, `${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
  shell.print(`${file} is a copy of the store. To use it, restore it and run "recover".`)
}

export function addRecover(program: Command, shell: Shell): void {
  const text = 'make a restored store usable: ask the gateway before anything is sent'
  addCommand(program, 'recover', text, 'recover').action(async () => {
    const config = readConfig(shell.env)
    refuseMemory(config)
    const { storeUrl } = config
    const { asked, unsent, knownUntil } = await usingStore(() => recoverStore(storeUrl, shell.clock.now()))
    const since = knownUntil === null ? null : new Date(knownUntil).toISOString()
    const lines = [
      `Transactions about which the server will ask the gateway: ${asked}.`,
      `Not sent when the store was copied: ${unsent}. Of these, charges and airtime are never sent.`,
      since && `Not in the store: transactions since ${since}. Compare with the merchant portal.`,
      'Start the server. After five minutes, list what a person has to check:',
      ...['payouts', 'charges', 'airtime'].map(
        (kind) => `  gateway-checkout-server api GET '/api/${kind}?outcome=needs_attention'`,
      ),
    ]
    shell.print(lines.filter(Boolean).join('\n'))
  })
}

function postgresText(file: string, storeUrl: string): string {
  const path = quote(file)
  const database = quote(withoutPassword(storeUrl))
  return `Postgres is backed up by its own tools, also while the servers run. They ask for the password, or read
PGPASSWORD or a password file:
  umask 077
  pg_dump --format=custom --schema=gateway_checkout --file=${path} --dbname=${database}
To use the backup, stop every server, and run:
  psql --dbname=${database} --command='DROP SCHEMA gateway_checkout CASCADE'
  pg_restore --dbname=${database} ${path}
  gateway-checkout-server recover`
}

/** Returns the URL without its password: every user of the machine can read the arguments of a running command. */
function withoutPassword(storeUrl: string): string {
  const url = new URL(storeUrl)
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}

/** Quotes an argument for a POSIX shell, unless the argument contains only harmless characters. */
function quote(argument: string): string {
  return /^[\w./:@%+=,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}

/**
 * Adds `adopt`, for a merchant whose account numbers have all changed. It changes the numbers in the store, and no
 * transaction. Servers may therefore run meanwhile, and adopting with the previous configuration reverses a mistake.
 */
export function addAdopt(program: Command, shell: Shell): void {
  const text =
    'take over the transactions in the store, after all numbers in GATEWAY_ACCOUNT_NUMBER have changed'
  addYes(addCommand(program, 'adopt', text, 'adopt')).action(async (options: ConfirmOptions) => {
    const config = readConfig(shell.env)
    refuseMemory(config)
    const open = async (isAdoption: boolean) =>
      (await openConfiguredStore(config, { isCommand: true }, isAdoption)).close()
    try {
      await open(false)
      return shell.print('There is nothing to adopt: the store has no transactions of another merchant.')
    } catch (error) {
      if (!(error instanceof CommandFailure && error.cause instanceof OtherMerchantError)) throw error
      shell.print(error.message)
    }
    await confirmInProduction(shell, 'Adopts these transactions', options, config)
    await open(true)
    shell.print('Adopted: they are the transactions of the configured merchant.')
  })
}
