/** Says whether what was paid for was served. */

import type { CONFIRMATIONS } from '../../contract/charge.ts'
import type { ExitCode } from '../exit-code.ts'
import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { TrackedFulfilment } from '../../api/charge.ts'
import { refusal, withApi } from '../api.ts'
import { EXIT } from '../exit-code.ts'
import { showResult } from '../result.ts'
import { list } from '../table.ts'

interface AcknowledgeOptions extends ResultOptions {
  narration: string
}

const EXIT_BY_STAGE = {
  open: EXIT.refused,
  decided: EXIT.unclear,
  confirmed: EXIT.ok,
  refused: EXIT.refused,
} as const satisfies Record<TrackedFulfilment['stage'], ExitCode>

export async function acknowledge(
  shell: Shell,
  reference: string,
  status: (typeof CONFIRMATIONS)[number],
  { narration, ...options }: AcknowledgeOptions,
): Promise<ExitCode> {
  return withApi(shell, async (api) => {
    const path = `/charges/${encodeURIComponent(reference)}/acknowledge`
    const answer = await shell.waitFor('Telling the gateway', api.post(path, { status, narration }))
    if (answer.kind === 'refused') throw refusal(answer.problem)
    const fulfilment = TrackedFulfilment.parse(answer.body)
    showResult(shell, options, answer.body, () => list(Object.entries(fulfilment)))
    return EXIT_BY_STAGE[fulfilment.stage]
  })
}
