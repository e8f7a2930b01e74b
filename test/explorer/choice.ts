/** Runs a step once for each sequence of answers that it can get. */

/** An option of a choice, with the words of a story. */
export interface Option {
  name: string
}

export interface Chooser {
  pick<Each extends Option>(options: readonly Each[]): Each
  /** What was picked, in order. */
  readonly names: readonly string[]
}

/**
 * Runs `run` until every sequence of choices was made. A choice in the run may depend on those before it. `run` must be
 * deterministic.
 */
export async function* everyChoice<Result>(
  run: (chooser: Chooser) => Promise<Result>,
): AsyncGenerator<{ result: Result; names: readonly string[] }> {
  const open: number[][] = [[]]
  for (let given = open.pop(); given; given = open.pop()) {
    const beginning = given
    const made: number[] = []
    const names: string[] = []
    const chooser: Chooser = {
      names,
      pick(options) {
        const index = beginning[made.length] ?? 0
        if (made.length >= beginning.length) {
          for (let other = options.length - 1; other > 0; other--) {
            open.push([...made, other])
          }
        }

        made.push(index)
        const option = options[index]
        if (!option) {
          throw new Error('There is no such option: the run is not deterministic.')
        }

        names.push(option.name)
        return option
      },
    }
    yield { result: await run(chooser), names }
  }
}

/** Always picks the first option: what an honest gateway that is up says. */
export function firstChoice(): Chooser {
  const names: string[] = []
  return {
    names,
    pick([option]) {
      if (!option) {
        throw new Error('There is no option.')
      }

      names.push(option.name)
      return option
    },
  }
}
