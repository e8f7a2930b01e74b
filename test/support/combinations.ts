import { inject } from 'vitest'

/**
 * Returns every combination of the lists' elements with FULL. Without FULL, returns as many as the longest list has
 * elements, so that each element of each list is in one of them. The first elements are together in both cases: begin
 * each list with the one that is hardest to satisfy.
 */
export function combinationsOf<T extends object>(lists: { [K in keyof T]: readonly T[K][] }): T[] {
  const names = Object.keys(lists) as (keyof T)[]
  if (!inject('isFull')) {
    const length = Math.max(...names.map((name) => lists[name].length))
    return Array.from({ length }, (_, at) => pick(lists, (list) => list[at % list.length]!))
  }

  return names.reduce<T[]>(
    (found, name) => found.flatMap((each) => lists[name].map((element) => ({ ...each, [name]: element }))),
    [{} as T],
  )
}

function pick<T extends object>(
  lists: { [K in keyof T]: readonly T[K][] },
  choose: <E>(list: readonly E[]) => E,
): T {
  const entries = Object.entries(lists).map(([name, list]) => [name, choose(list as readonly unknown[])])
  return Object.fromEntries(entries) as T
}
