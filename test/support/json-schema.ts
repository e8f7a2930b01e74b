export interface Schema {
  $ref?: string
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  type?: string | string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

export function conform(
  value: unknown,
  schema: Schema,
  shapes: Record<string, Schema>,
  at = 'body',
): string[] {
  const { $ref, anyOf, type = [], items = {} } = schema
  if ($ref) return conform(value, shapes[$ref.split('/').at(-1) ?? ''] ?? {}, shapes, at)
  if (anyOf) {
    const tries = anyOf.map((each) => conform(value, each, shapes, at))
    return tries.some((problems) => problems.length === 0) ? [] : tries.flat()
  }
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${JSON.stringify(value)}`]
  if ('const' in schema && schema.const !== value) return [`${at} is ${JSON.stringify(value)}`]
  const types = [type].flat()
  if (types.length > 0 && !types.some((each) => hasType(value, each)))
    return [`${at} is ${JSON.stringify(value)}, not ${types.join(' or ')}`]
  if (Array.isArray(value))
    return value.flatMap((each, index) => conform(each, items, shapes, `${at}.${index}`))
  return typeof value === 'object' && value !== null ? conformFields(value, schema, shapes, at) : []
}

function conformFields(
  value: object,
  { properties = {}, required = [], additionalProperties = true }: Schema,
  shapes: Record<string, Schema>,
  at: string,
): string[] {
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`)
  const wrong = Object.entries(value).flatMap(([name, each]) => {
    const rest = additionalProperties === true ? {} : additionalProperties
    const field = Object.hasOwn(properties, name) ? properties[name] : rest
    return field ? conform(each, field, shapes, `${at}.${name}`) : [`${at}.${name} is not described`]
  })
  return [...missing, ...wrong]
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
