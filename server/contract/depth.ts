/** Returns whether objects and lists are nested at most `levels` deep in the value. */
export function isNoDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((part) => isNoDeeperThan(levels - 1, part))
}
