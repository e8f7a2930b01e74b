#!/usr/bin/env node
/** `gateway-checkout-server`: hands the process to the command line. */

import { runCommand } from './cli/program.ts'
import { processShell } from './cli/shell.ts'

process.exitCode = await runCommand(process.argv.slice(2), processShell(process))
