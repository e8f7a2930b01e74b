/** The command `backup`: a copy of the store in a new file. */

import { existsSync } from 'node:fs'

import { readConfig } from '../config/config.ts'
import { NoDriverError, NoStoreError } from '../store/errors.ts'
import { backUp } from '../store/sqlite/backup.ts'
import { command } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'
import { lastingPlaceOf } from './store.ts'

import type { ExitCode } from './shell.ts'

export const backup = command({
  text: 'copy the store to a new file, also while the server runs',
  takes: '<file>',
  options: {
    print: { type: 'boolean', text: 'for Postgres: only print the commands that make and restore a backup' },
  },
  examples: ['/backups/2026-11-21.sqlite'],
  run(shell, { print }, file) {
    const config = readConfig(shell.env)
    const place = lastingPlaceOf(config)
    const noBackup = (exitCode: ExitCode, reason: string) =>
      new CommandFailure(exitCode, `There is no backup: ${reason}`)
    if (place.engine === 'postgres') {
      shell.print(postgresText(file, place.url))
      if (print) {
        return
      }

      const reason = 'nothing was written. Run the line pg_dump; with --print, this command only prints.'
      throw noBackup(EXIT.usage, reason)
    }
    if (print) {
      throw noBackup(EXIT.usage, '--print is for Postgres. A SQLite store is copied.')
    }
    if (existsSync(file)) {
      throw noBackup(EXIT.cannotWrite, `${file} exists already. Name a new file.`)
    }

    try {
      backUp(place.path, file, shell.clock.now())
    } catch (cause) {
      if (cause instanceof NoStoreError || cause instanceof NoDriverError) {
        throw new CommandFailure(EXIT.config, cause.message, { cause })
      }
      throw noBackup(EXIT.cannotWrite, `${cause instanceof Error ? cause.message : String(cause)}.`)
    }

    shell.print(`${file} is a copy of the store. To use it, restore it and run "recover".`)
  },
})

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
