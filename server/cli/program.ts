/** The command line `gateway-checkout-server`, which runs one command and converts a failure into its exit code. */

import { ConfigError } from '../config/config-error.ts'
import { namingAbsentFile } from '../config/env-file.ts'
import { createLog } from '../log/log.ts'
import { version } from '../package.json'
import { adopt } from './adopt.ts'
import { api } from './api.ts'
import { backup } from './backup.ts'
import { check } from './check.ts'
import { close } from './close.ts'
import { entry, paragraph, wrongUsage } from './command.ts'
import { conformance } from './conformance.ts'
import { erase } from './erase.ts'
import { list, ping, replay, trigger } from './events.ts'
import { find } from './find.ts'
import { link } from './link.ts'
import { closeLink, listLinks } from './links.ts'
import { prove } from './prove.ts'
import { recover } from './recover.ts'
import { resolve } from './resolve.ts'
import { sandbox } from './sandbox.ts'
import { serve } from './serve.ts'
import { CommandFailure, EXIT, Shell } from './shell.ts'

import type { Command } from './command.ts'
import type { ExitCode, Runtime } from './shell.ts'

/** The commands by their names, in the order of the help text. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  sandbox,
  check,
  link,
  'links list': listLinks,
  'links close': closeLink,
  api,
  resolve,
  find,
  close,
  'events list': list,
  'events replay': replay,
  'events ping': ping,
  'events trigger': trigger,
  prove,
  conformance,
  erase,
  backup,
  recover,
  adopt,
}

/** Where the text of a command begins. */
const COMMAND_COLUMN = 18

const HELP = `Usage: gateway-checkout-server COMMAND

${paragraph(
  'The server of <gateway-checkout>, and commands for the merchant. --help after a command shows its options.',
)}

Commands:
${Object.entries(COMMANDS)
  .map(([name, { text }]) => entry(`  ${name}`, COMMAND_COLUMN, text))
  .join('\n')}

Exit codes:
  0    success
  1    refused, not found, or not ready for production
  2    invalid usage
  65   the file is not valid         66  the file or the input cannot be read
  69   the gateway or the store does not respond
  70   internal error                73  the file of the result exists, or cannot be written
  75   stored; the gateway's response was not received: query the status
  77   the gateway rejects the credentials
  78   the configuration is not valid, or lacks what the command needs
  130  interrupted by Ctrl-C`

/** Runs one command and resolves with its exit code. Never rejects and never ends the process. */
export async function main(args: readonly string[], runtime: Runtime): Promise<ExitCode> {
  const shell = new Shell(runtime)
  try {
    await runCommand(shell, args)
    return shell.exitCode
  } catch (error) {
    const { folder, env, stdout, stderr } = runtime
    const { exitCode, message } = explain(folder === undefined ? error : namingAbsentFile(error, folder))
    if (args[0] === 'serve' && !stdout.isTTY && !stderr.isTTY) {
      // Away from a terminal, the log of `serve` is JSON, and so is its last line.
      const log = await createLog({ level: 'error', stdout: stderr, env })
      log.error({ exit_code: exitCode }, message)
    } else {
      shell.inform(message, 'red')
    }
    return exitCode
  }
}

async function runCommand(shell: Shell, args: readonly string[]): Promise<void> {
  const isCalled = (name: string) => name.split(' ').every((word, index) => word === args[index])
  const name = Object.keys(COMMANDS).find(isCalled) ?? ''
  const command = COMMANDS[name]
  const wantsHelp = args.includes('--help') || args.includes('-h')
  if (command && wantsHelp) {
    return shell.print(command.helpOf(name))
  }
  if (command) {
    return command.run(shell, args.slice(name.split(' ').length))
  }
  if (args[0] === '--version' || args[0] === '-V') {
    return shell.print(version)
  }
  if (!wantsHelp) {
    const [first] = args
    throw wrongUsage(first === undefined ? 'No command is named.' : `There is no command ${first}.`)
  }

  shell.print(HELP)
}

function explain(error: unknown): { exitCode: ExitCode; message: string } {
  if (error instanceof CommandFailure) {
    return error
  }
  if (error instanceof ConfigError) {
    return { exitCode: EXIT.config, message: error.message }
  }

  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { exitCode: EXIT.software, message }
}
