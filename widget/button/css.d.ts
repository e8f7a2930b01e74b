/** A style sheet as text. Vite minifies the text in a build. */
declare module '*.css?inline' {
  const text: string
  export default text
}
