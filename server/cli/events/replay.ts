/** Makes an event due once more. The server that runs over the same store tells it. */

import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { refusal, withApi } from '../api.ts'
import { showResult } from '../result.ts'

export async function replay(shell: Shell, id: string, options: ResultOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const answer = await api.post(`/events/${encodeURIComponent(id)}/replay`)
    switch (answer.kind) {
      case 'answered':
        return showResult(shell, options, answer.body, () => 'It is due again: the running server tells it.')
      case 'refused':
        throw refusal(answer.problem)
    }
  })
}
