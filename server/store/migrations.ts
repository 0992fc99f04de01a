/** The schema, step by step. A step that has been released is never changed; a new one goes to the end. */

/** Marks the file as ours ("BLAY"), so that another program's database is never written into. */
export const applicationId = 0x424c4159

/**
 * Step `n` leads from schema version `n` to `n + 1`.
 *
 * All text that came from people, models or tools is read back as a blob: the driver ends the process on text that is not UTF-8,
 * and one damaged row must not do that (L7).
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    root_id TEXT NOT NULL,
    parent_id TEXT,
    kind TEXT NOT NULL,
    archived INTEGER NOT NULL DEFAULT 0,
    hidden INTEGER NOT NULL DEFAULT 0,
    created_position INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    last_outcome TEXT,
    open_turn TEXT,
    search_key TEXT NOT NULL,
    summary TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX sessions_by_activity ON sessions (hidden, archived, updated_at DESC, id DESC);
  CREATE INDEX sessions_by_root ON sessions (root_id, created_position);
  CREATE INDEX sessions_open ON sessions (open_turn) WHERE open_turn IS NOT NULL;
  CREATE INDEX sessions_hidden ON sessions (hidden) WHERE hidden = 1;

  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (session_id, seq)
  );

  CREATE TABLE gaps (
    session_id TEXT NOT NULL,
    from_seq INTEGER NOT NULL,
    to_seq INTEGER NOT NULL,
    PRIMARY KEY (session_id, from_seq)
  ) WITHOUT ROWID;

  CREATE TABLE client_ids (
    session_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    PRIMARY KEY (session_id, client_id)
  ) WITHOUT ROWID;

  CREATE TABLE texts (hash TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE turns (
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    started_at TEXT NOT NULL,
    position INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    outcome TEXT,
    requested_by TEXT,
    record TEXT NOT NULL,
    PRIMARY KEY (session_id, turn_id)
  ) WITHOUT ROWID;
  CREATE INDEX turns_by_time ON turns (started_at DESC, position DESC);
  CREATE INDEX turns_of_session ON turns (session_id, started_at DESC, position DESC);

  CREATE TABLE search_texts (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX search_texts_by_turn ON search_texts (session_id, turn_id, seq);
  CREATE VIRTUAL TABLE search_index USING fts5 (body, content='search_texts', content_rowid='id', tokenize='trigram');

  CREATE TABLE draft_texts (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    step_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    block INTEGER NOT NULL,
    kind TEXT NOT NULL,
    call_id TEXT,
    name TEXT,
    ended INTEGER NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX draft_texts_by_step ON draft_texts (session_id, step_id, attempt);
  CREATE TABLE draft_outputs (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX draft_outputs_by_call ON draft_outputs (session_id, call_id);
  `,
]
