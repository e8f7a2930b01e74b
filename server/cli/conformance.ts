/** The command `conformance`, which checks a gateway against every row of the gateway's specification. */

import { isAddress } from '../config/address.ts'
import { command, confirm, JSON_OPTION, wrongUsage } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'
import { countVerdicts, JUNIT_OPTION, printVerdict, writeJunit } from './verdicts.ts'

const CHECKS_PER_PROGRESS_LINE = 100
/** The width of the column with the names of endpoints, in characters. */
const NAME_WIDTH = 52

export const conformance = command({
  text: "check a gateway's sandbox environment against every row of the specification",
  options: {
    against: { type: 'string', default: '', text: 'the base URL of the gateway' },
    ...JUNIT_OPTION,
    ...JSON_OPTION,
    yes: { type: 'boolean', text: 'do not ask before your keys send payouts' },
  },
  examples: ['--against http://127.0.0.1:4010'],
  async run(shell, { against, junit, json, yes }) {
    if (!isAddress(against)) {
      throw wrongUsage('--against must be a URL, such as http://127.0.0.1:4010.')
    }
    // The keys of our sandbox, which are the default, move no money anywhere.
    if (shell.env.CONFORMANCE_CONSUMER_KEY) {
      await confirm(shell, `Sends about a hundred payouts, and checkouts and charges, to ${against}`, { yes })
    }

    const { connectTo } = await import('../conformance/variables.ts')
    const { grade, VERDICTS } = await import('../conformance/grade.ts')
    const connection = await connectTo(against, shell.env)
    const grading = grade(connection, (done) => {
      if (done % CHECKS_PER_PROGRESS_LINE === 0) {
        shell.inform(`${done} checks done`)
      }
    })
    const rows = await grading
      .catch((cause: unknown) => {
        throw new CommandFailure(EXIT.unavailable, `No gateway answers at ${against}.`, { cause })
      })
      .finally(() => connection.close())
    const verdicts = rows.map((row) => ({ ...row, name: row.row }))
    const verdictsOn = (endpoint: string) => verdicts.filter((each) => each.endpoint === endpoint)
    const endpoints = [...new Set(verdicts.map(({ endpoint }) => endpoint))]
    for (const endpoint of json ? [] : endpoints) {
      shell.print(`\n${endpoint}`)
      for (const verdict of verdictsOn(endpoint)) {
        printVerdict(shell, verdict)
      }
    }

    const countLine = (name: string, counted: typeof verdicts) =>
      `${name.padEnd(NAME_WIDTH)}${countVerdicts(counted, VERDICTS)}`
    const lines = [...endpoints.map((each) => countLine(each, verdictsOn(each))), countLine('all', verdicts)]
    shell.show({ json }, { url: against, verdicts: rows }, () => ['', ...lines].join('\n'))
    await writeJunit(junit, 'conformance', verdicts)
    if (verdicts.some(({ verdict }) => verdict === 'failed')) {
      shell.exitCode = EXIT.refused
    }
  },
})
