/** The commands `backup` and `recover`. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { existsSync } from 'node:fs'
import { readConfig } from '../config.ts'
import { NoStoreError } from '../store.ts'
import { backUpStore, isPostgres, recoverStore } from '../store/open.ts'
import { addCommand } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { refuseMemory, usingStore } from './open-store.ts'

export function addBackup(program: Command, shell: Shell): void {
  addCommand(
    program,
    'backup',
    'copy the store to a new file, also while the server runs',
    'backup /backups/2026-11-21.sqlite',
  )
    .argument('<file>', 'the new file')
    .option('--print', 'for Postgres: only print the commands that make and restore a backup')
    .action((file: string, { print }: { print?: boolean }) => {
      const config = readConfig(shell.env)
      refuseMemory(config)
      const { storeUrl } = config
      if (isPostgres(storeUrl.reveal())) {
        shell.print(postgresText(file, storeUrl.reveal()))
        if (print) return
        throw new CommandFailure(
          EXIT.usage,
          'There is no backup: nothing was written. Run the line pg_dump; with --print, this command only prints.',
        )
      }
      if (print) throw new CommandFailure(EXIT.usage, '--print is for Postgres. A SQLite store is copied.')
      if (existsSync(file))
        throw new CommandFailure(EXIT.usage, `There is no backup: ${file} exists already. Name a new file.`)
      try {
        backUpStore(storeUrl, file, shell.clock.now())
      } catch (cause) {
        if (cause instanceof NoStoreError) throw new CommandFailure(EXIT.config, cause.message, { cause })
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new CommandFailure(EXIT.unavailable, `There is no backup: ${reason}.`, { cause })
      }
      shell.print(`${file} is a copy of the store. To use it, restore it and run "recover".`)
    })
}

export function addRecover(program: Command, shell: Shell): void {
  addCommand(
    program,
    'recover',
    'make a restored store usable: ask the gateway before anything is sent',
    'recover',
  ).action(async () => {
    const config = readConfig(shell.env)
    refuseMemory(config)
    const { storeUrl } = config
    const recovery = await usingStore(() => recoverStore(storeUrl, shell.clock.now()))
    const { asked, unsent, knownUntil } = recovery
    shell.print(`Transactions about which the server will ask the gateway: ${asked}.`)
    shell.print(
      `Not sent when the store was copied: ${unsent}. Of these, charges and airtime are never sent.`,
    )
    if (knownUntil !== null) {
      const since = new Date(knownUntil).toISOString()
      shell.print(`Not in the store: transactions since ${since}. Compare with the merchant portal.`)
    }
    shell.print('Start the server. After five minutes, list what a person has to check:')
    for (const kind of ['payouts', 'charges', 'airtime'])
      shell.print(`  gateway-checkout-server api GET '/api/${kind}?outcome=needs_attention'`)
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
