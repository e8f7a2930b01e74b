/**
 * The root command `gateway-checkout-server`, which runs its subcommands and converts failures into exit codes and
 * messages.
 */

import type { ExitCode } from './exit-code.ts'
import type { Runtime, Shell } from './shell.ts'
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config/config.ts'
import { namingAbsentFile } from '../config/env-file.ts'
import { version } from '../package.json'
import { addApi } from './api.ts'
import { addCheck } from './check.ts'
import { addErase } from './erase.ts'
import { addEvents } from './events.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { addSandbox } from './sandbox.ts'
import { addServe } from './serve.ts'
import { createShell } from './shell.ts'
import { addAdopt, addBackup, addRecover } from './store.ts'
import { createLog } from '../log/process-log.ts'

const EXIT_CODES = `
Exit codes:
  0    success
  1    refused, not found, or not ready for production
  2    invalid usage
  65   the file is not valid         66  the file cannot be read
  69   the gateway or the store does not respond
  70   internal error
  75   stored; the gateway's response was not received: query the status
  77   the gateway rejects the credentials
  78   the configuration is not valid
  130  interrupted by Ctrl-C`

/** The functions that add the commands, in the order of the help text. */
const ADDERS = [addServe, addSandbox, addCheck, addApi, addEvents, addErase, addBackup, addRecover, addAdopt]

/** Runs one command and resolves with its exit code. Never rejects and never ends the process. */
export async function main(args: readonly string[], runtime: Runtime): Promise<ExitCode> {
  const shell = createShell(runtime)
  try {
    await createProgram(shell).parseAsync([...args], { from: 'user' })
    return shell.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const { folder } = runtime
    const [exitCode, message] = explain(folder === undefined ? error : namingAbsentFile(error, folder))
    if (args[0] === 'serve' && !runtime.stdout.isTTY && !runtime.stderr.isTTY) {
      // The log is JSON, so its last line is, too.
      const log = await createLog({ level: 'error', stdout: runtime.stderr, env: runtime.env })
      log.error({ exit_code: exitCode }, message)
    } else shell.inform(message, 'red')
    return exitCode
  }
}

/** Creates the root command with all its subcommands. The reference of the commands is generated from it, too. */
export function createProgram(shell: Shell): Command {
  const program = new Command('gateway-checkout-server')
    .description('The server of <gateway-checkout>, and commands for the merchant.')
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.print(text.trimEnd()),
      writeErr: (text) => shell.inform(text.trimEnd()),
    })
    .showHelpAfterError('(--help shows the usage)')
  for (const add of ADDERS) add(program, shell)
  return program
}

function explain(error: unknown): [ExitCode, string] {
  if (error instanceof CommandFailure) return [error.exitCode, error.message]
  if (error instanceof ConfigError) return [EXIT.config, error.message]
  return [EXIT.software, error instanceof Error ? (error.stack ?? error.message) : String(error)]
}
