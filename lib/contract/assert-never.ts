/** Ends every closed switch: the compiler proves that no member of the union was forgotten. @throws Error when a value from outside the types arrives. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
