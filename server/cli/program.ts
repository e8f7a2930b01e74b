/** The commands with their arguments, examples and help. What a command needs is loaded when it runs. */

import type { ExitCode } from './exit-code.ts'
import type { Shell } from './shell.ts'
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { ConfigError } from '../config.ts'
import { CONFIRMATIONS } from '../contract/charge.ts'
import { version } from '../package.json'
import { CommandFailure, EXIT } from './exit-code.ts'

const EXIT_CODES = `
Exit codes:
  0   done
  1   refused, not found, or not ready for live
  2   wrong usage
  65  a file that is not valid      66  a file that cannot be read
  69  the gateway or the store does not answer
  70  a defect of this program
  75  stored, but not known yet whether the gateway has it: ask again
  77  the gateway does not accept the credentials
  78  the configuration cannot be used
  130 stopped by Ctrl-C: run it again to go on`

/** Tells how it ended; never rejects, and never ends the process. */
export async function runCommand(args: readonly string[], shell: Shell): Promise<ExitCode> {
  const ended: { as: ExitCode } = { as: EXIT.ok }
  const program = createProgram(shell, (exitCode) => (ended.as = exitCode))
  try {
    await program.parseAsync([...args], { from: 'user' })
    return ended.as
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const [exitCode, message] = explain(error)
    shell.note(message)
    return exitCode
  }
}

function explain(error: unknown): [ExitCode, string] {
  if (error instanceof CommandFailure) return [error.exitCode, error.message]
  if (error instanceof ConfigError) return [EXIT.config, error.message]
  return [EXIT.software, error instanceof Error ? (error.stack ?? error.message) : String(error)]
}

/** @param end Says how a command ended that did not fail. */
function createProgram(shell: Shell, end: (exitCode: ExitCode) => void): Command {
  const program = new Command('gateway-checkout-server')
    .description('The small server behind <gateway-checkout>, and what a merchant does beside it.')
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.print(text.trimEnd()),
      writeErr: (text) => shell.note(text.trimEnd()),
    })
    .showHelpAfterError('(--help shows how it is used)')

  program
    .command('serve')
    .description('run the server, configured by environment variables')
    .addHelpText('after', example('GATEWAY_ENVIRONMENT=sandbox … gateway-checkout-server serve'))
    .action(async () => end(await (await import('./serve.ts')).serveBff(shell)))
  program
    .command('sandbox')
    .description('run a whole payment gateway to try things with; no real money moves')
    .addOption(
      new Option('--port <port>', 'where it listens; 0 for any free port').default(4010).argParser(readPort),
    )
    .addHelpText('after', example('gateway-checkout-server sandbox --port 4010'))
    .action(async ({ port }) => (await import('./sandbox.ts')).serveSandbox(shell, port))
  program
    .command('check')
    .description('see whether everything is ready for live, and what to paste into the merchant portal')
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server check'))
    .action(async (options) => end(await (await import('./check.ts')).check(shell, options)))

  addMoney(program, shell)
  addPayouts(program.command('payouts').description('send money, and see what became of it'), shell, end)
  addCharges(program.command('charges').description('charge payers, and say what was served'), shell, end)
  addAirtime(program.command('airtime').description('send airtime to one or to many'), shell, end)
  addCheckouts(program.command('checkouts').description('see what became of orders'), shell)
  addEvents(
    program.command('events').description('what your backend was told, or is still to be told'),
    shell,
  )
  program
    .command('history')
    .description('read what happened to a payout, a charge, airtime, an order or a checkout')
    .argument(
      '<reference>',
      'payout_reference, external_reference, order, checkout_id or merchant_transaction_id',
    )
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server history WAGES-2026-11-0001'))
    .action(async (reference, options) => (await import('./history.ts')).history(shell, reference, options))
  return program
}

function addMoney(program: Command, shell: Shell): void {
  program
    .command('fx')
    .description('see the rates of a currency, or what an amount comes to')
    .argument('<from>', 'currency, such as KES')
    .argument('[to]', 'another currency, for a quote')
    .argument('[amount]', 'decimal amount in <from>')
    .option('--selling', 'the gateway pays out the amount instead of taking it')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      example('gateway-checkout-server fx KES', 'gateway-checkout-server fx KES UGX 1500.00'),
    )
    .action(async (from, to, amount, options) =>
      (await import('./fx.ts')).fx(shell, { from, to, amount }, options),
    )
  program
    .command('balance')
    .description('see what the float account holds')
    .argument('[account]', 'default: GATEWAY_ACCOUNT_NUMBER')
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server balance --json'))
    .action(async (account, options) => (await import('./balance.ts')).balance(shell, account, options))
}

function addPayouts(payouts: Command, shell: Shell, end: (exitCode: ExitCode) => void): void {
  payouts
    .command('send')
    .description('send one payout, or a list of them, from a file of JSON')
    .argument('<file>', 'a file, or - for standard input')
    .addOption(new Option('--type <type>', 'what they are').choices(['local', 'imt', 'b2b']).default('local'))
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      example(
        'gateway-checkout-server payouts send wages.json',
        'jq -c .suppliers report.json | gateway-checkout-server payouts send - --type b2b --json',
      ),
    )
    .action(async (file, options) =>
      end(await (await import('./payouts/send.ts')).send(shell, file, options)),
    )
  payouts
    .command('status')
    .description('ask how a payout stands')
    .argument('<reference>', 'its payout_reference')
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server payouts status WAGES-2026-11-0001'))
    .action(async (reference, options) =>
      (await import('./payouts/status.ts')).status(shell, reference, options),
    )
  addListOptions(payouts.command('list').description('list payouts in the order of their last change'))
    .addHelpText('after', example('gateway-checkout-server payouts list --outcome needs_attention'))
    .action(async (options) => (await import('./payouts/list.ts')).list(shell, options))
}

function addCharges(charges: Command, shell: Shell, end: (exitCode: ExitCode) => void): void {
  charges
    .command('send')
    .description('send one charge, or a list of them, from a file of JSON')
    .argument('<file>', 'a file, or - for standard input')
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server charges send bill.json'))
    .action(async (file, options) =>
      end(await (await import('./charges/send.ts')).send(shell, file, options)),
    )
  charges
    .command('status')
    .description('ask how a charge stands')
    .argument('<reference>', 'its external_reference')
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server charges status BILL-2026-11-0001'))
    .action(async (reference, options) =>
      (await import('./charges/status.ts')).status(shell, reference, options),
    )
  addListOptions(charges.command('list').description('list charges in the order of their last change'))
    .addHelpText('after', example('gateway-checkout-server charges list --outcome needs_attention'))
    .action(async (options) => (await import('./charges/list.ts')).list(shell, options))
  charges
    .command('acknowledge')
    .description('say whether what was paid for was served: the shares are paid, or the money goes back')
    .argument('<reference>', 'external_reference, or the merchant_transaction_id of a checkout with splits')
    .addArgument(new Argument('<status>', 'what became of it').choices(CONFIRMATIONS))
    .requiredOption('--narration <text>', 'why, in a sentence for the gateway')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      example('gateway-checkout-server charges acknowledge BILL-2026-11-0001 FAILED --narration "Sold out"'),
    )
    .action(async (reference, status, options) =>
      end(await (await import('./charges/acknowledge.ts')).acknowledge(shell, reference, status, options)),
    )
}

function addAirtime(airtime: Command, shell: Shell, end: (exitCode: ExitCode) => void): void {
  airtime
    .command('send')
    .description('send airtime to everybody in a file, and wait until all have it or have not')
    .argument('<file>', 'CSV with a header and the columns phone_number and amount')
    .option('--reference <reference>', 'of this list; default: made from the recipients')
    .option('--no-wait', 'end when all was sent')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      `
Each recipient is sent to once: run again after an interruption, it takes up what was begun. What became of each is
written beside the file, as recipients.results.csv. To send the same list a second time, name another --reference.
${example('gateway-checkout-server airtime send recipients.csv --reference BONUS-2026-11')}`,
    )
    .action(async (file, options) =>
      end(await (await import('./airtime/send.ts')).send(shell, file, options)),
    )
  airtime
    .command('status')
    .description('ask how airtime stands, and who does not have it')
    .argument('<reference>', 'of the list')
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server airtime status BONUS-2026-11'))
    .action(async (reference, options) =>
      (await import('./airtime/status.ts')).status(shell, reference, options),
    )
  addListOptions(airtime.command('list').description('list airtime in the order of its last change'))
    .addHelpText('after', example('gateway-checkout-server airtime list --outcome needs_attention'))
    .action(async (options) => (await import('./airtime/list.ts')).list(shell, options))
}

function addCheckouts(checkouts: Command, shell: Shell): void {
  addListOptions(checkouts.command('list').description('list checkouts in the order of their last change'))
    .addHelpText('after', example('gateway-checkout-server checkouts list --updated-since 2026-11-21'))
    .action(async (options) => (await import('./checkouts/list.ts')).list(shell, options))
  checkouts
    .command('show')
    .description('ask how a checkout stands')
    .argument('<key>', 'a checkout_id, or an order for its latest checkout')
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server checkouts show ORDER-1001'))
    .action(async (key, options) => (await import('./checkouts/show.ts')).show(shell, key, options))
}

function addEvents(events: Command, shell: Shell): void {
  events
    .command('list')
    .description('list events, the oldest first')
    .option('--cursor <cursor>', 'where the last page ended')
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server events list'))
    .action(async (options) => (await import('./events/list.ts')).list(shell, options))
  events
    .command('replay')
    .description('have the running server tell of an event once more')
    .argument('<id>', 'the id of the event')
    .option('--json', 'for scripts')
    .addHelpText('after', example('gateway-checkout-server events replay evt_…'))
    .action(async (id, options) => (await import('./events/replay.ts')).replay(shell, id, options))
}

function addListOptions(command: Command): Command {
  return command
    .option('--outcome <outcome>', 'only those that came to this')
    .option('--updated-since <time>', 'only those that changed since: ISO 8601, UTC without an offset')
    .option('--cursor <cursor>', 'where the last page ended')
    .option('--json', 'for scripts')
}

function example(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a port from 0 to 65535.')
}
