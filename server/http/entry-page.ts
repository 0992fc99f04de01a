/** The page for somebody without a token: it says how to get in (W9). Plain HTML, nothing to load. */

/** @param reason whether a token was tried and was not the right one. */
export function entryPage(reason: 'no-token' | 'wrong-token'): string {
  const lead =
    reason === 'wrong-token'
      ? 'That token is not the one of this server.'
      : 'This page belongs to the person who started the server.'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Belay: a token is needed</title>
</head>
<body style="font: 1rem/1.6 system-ui, sans-serif; color-scheme: light dark; max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem">
<main>
<h1 style="font-size: 1.5rem">A token is needed</h1>
<p>${lead}</p>
<p>To get in, open the address that Belay printed in the terminal when it started. It ends in <code>/?token=…</code>.</p>
<p>The token is kept in the file <code>token</code> in the data folder (<code>~/.belay</code>, or the folder named by <code>BELAY_HOME</code>).
Programs send it as <code>Authorization: Bearer …</code>.</p>
</main>
</body>
</html>
`
}
