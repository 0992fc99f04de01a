import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CallId, MessageId, SessionId, TurnId } from '@/lib/contract/ids'
import { sessionSchema } from '@/lib/contract/session'
import { queueLimit } from '@/server/container/sessions'
import { tool } from '../runtime/support/given'
import { aborted, moment } from '../runtime/support/moments'
import { calls, deafUntil, says, saysThenHangs } from '../runtime/support/scripted-model'
import { givenServer, refusalOf } from './given-server'

const nobody = 'ses_nobody' as SessionId

describe('creating', () => {
  it('W2: makes a root session with the defaults, and its first message runs', async () => {
    const { sessions, workspace, whenIdle, all } = givenServer([says('Hello')])
    const { session, messageId } = sessions.create({ message: { text: 'hi', clientId: 'c1' } })
    expect(sessionSchema.parse(session)).toEqual(session)
    expect(session).toMatchObject({ kind: 'root', workspace, model: 'test/model', approvalMode: 'ask', resident: true })
    expect(session.activity).toBe('running')
    await whenIdle(session.id)
    expect(all(session.id, 'turn.end')).toEqual([{ turnId: expect.any(String), outcome: { kind: 'completed' } }])
    expect(all(session.id, 'inbox.queued')[0]?.messageId).toBe(messageId)
  })

  it('W1: refuses a workspace that is gone, naming the path, and makes nothing', () => {
    const { sessions, workspace } = givenServer()
    const gone = path.join(workspace, 'gone')
    const error = refusalOf(() => sessions.create({ workspace: gone }))
    expect(error.code).toBe('workspace-not-found')
    expect(error.message).toContain(gone)
    writeFileSync(path.join(workspace, 'file'), '')
    expect(refusalOf(() => sessions.create({ workspace: path.join(workspace, 'file') })).code).toBe(
      'workspace-not-found',
    )
    expect(refusalOf(() => sessions.create({ workspace: path.join(workspace, 'file/x') })).code).toBe(
      'workspace-not-found',
    )
    expect(refusalOf(() => sessions.create({ workspace: 'a\0b' })).code).toBe('workspace-not-found')
    expect(sessions.list({}).sessions).toEqual([])
  })

  it('W1: refuses a default workspace that was removed while the server runs', () => {
    const { sessions, workspace } = givenServer()
    rmSync(workspace, { recursive: true })
    expect(refusalOf(() => sessions.create({})).message).toContain(workspace)
  })

  it('W2: counts a relative workspace from the default one', () => {
    const { sessions, workspace } = givenServer()
    mkdirSync(path.join(workspace, 'inside'))
    expect(sessions.create({ workspace: 'inside' }).session.workspace).toBe(path.join(workspace, 'inside'))
  })

  it('W1: refuses a model that cannot be called, in the registry’s words', () => {
    const { sessions, create } = givenServer()
    const error = refusalOf(() => sessions.create({ model: 'other/model' }))
    expect([error.code, error.message]).toEqual(['model-unavailable', 'other/model needs TEST_API_KEY.'])
    const id = create()
    expect(refusalOf(() => sessions.change(id, { model: 'other/model' })).code).toBe('model-unavailable')
    expect(sessions.get(id).model).toBe('test/model')
  })
})

describe('reading and changing', () => {
  it('W2: shows one session, its tree of one node, and its log', () => {
    const { sessions, create } = givenServer()
    const id = create()
    expect(sessions.get(id).id).toBe(id)
    expect(sessions.tree(id).map((node) => node.id)).toEqual([id])
    expect(sessions.events(id, {})).toMatchObject({ lastSeq: 1, events: [{ type: 'session.created', seq: 1 }] })
  })

  it('W2: knows no session with an unknown id, whatever is asked of it', () => {
    const { sessions } = givenServer()
    const questions = [
      () => sessions.get(nobody),
      () => sessions.tree(nobody),
      () => sessions.events(nobody, {}),
      () => sessions.change(nobody, {}),
      () => sessions.remove(nobody),
      () => sessions.send(nobody, { text: 'x' }),
      () => sessions.edit(nobody, 'msg_1' as MessageId, { text: 'x' }),
      () => sessions.removeMessage(nobody, 'msg_1' as MessageId),
      () => sessions.wake(nobody),
      () => sessions.cancel(nobody, {}),
      () => sessions.cancel(nobody, { keepInbox: false }),
      () => sessions.stopAll(nobody),
      () => sessions.endCall(nobody, 'call_1' as CallId, {}),
      () => sessions.fork(nobody, 'turn_1' as TurnId),
    ]
    expect(questions.map((question) => refusalOf(question).code)).toEqual(questions.map(() => 'not-found'))
  })

  it('W2: changes title, model, mode and archive, resident or not, and writes nothing for an empty change', async () => {
    const { sessions, agents, create } = givenServer()
    const id = create()
    expect(sessions.change(id, { title: 'Mine', approvalMode: 'full-access' })).toMatchObject({ title: 'Mine' })
    await agents.dispose(id)
    expect(sessions.change(id, { model: 'test/other', archived: true })).toMatchObject({
      model: 'test/other',
      archived: true,
      approvalMode: 'full-access',
      resident: false,
    })
    const { lastSeq } = sessions.get(id)
    expect(sessions.change(id, {}).lastSeq).toBe(lastSeq)
    expect(sessions.list({}).sessions).toEqual([])
    expect(sessions.list({ archived: true }).sessions).toHaveLength(1)
  })

  it('W2: filters by live activity', async () => {
    const { sessions, create, model } = givenServer([saysThenHangs('Hello')])
    const busy = create('go')
    const calm = create()
    await model.hasSaid('Hello')
    expect(sessions.list({ activity: ['running'] }).sessions.map((session) => session.id)).toEqual([busy])
    expect(sessions.list({ activity: ['idle'] }).sessions.map((session) => session.id)).toEqual([calm])
  })
})

describe('messages', () => {
  it('W2: gives the same answer for the same clientId for ever, also after the agent has left', async () => {
    const { send, create, whenIdle, agents, all } = givenServer([says('one')])
    const id = create()
    const first = send(id, 'hi', { clientId: 'c1' })
    expect(send(id, 'changed', { clientId: 'c1' })).toBe(first)
    await whenIdle(id)
    await agents.dispose(id)
    expect(send(id, 'again', { clientId: 'c1' })).toBe(first)
    expect(all(id, 'inbox.queued')).toHaveLength(1)
  })

  it('S13: takes 100 waiting messages and not one more, but still answers for a known clientId', async () => {
    const { sessions, send, create, model } = givenServer([saysThenHangs('Hello')])
    const id = create('go')
    await model.hasSaid('Hello')
    const first = send(id, 'first', { clientId: 'first' })
    for (let n = 1; n < queueLimit; n++) send(id, `message ${n}`)
    expect(refusalOf(() => send(id, 'one more')).code).toBe('limit-reached')
    expect(send(id, 'first', { clientId: 'first' })).toBe(first)
    expect(sessions.get(id).queue).toHaveLength(100)
  })

  it('W2: edits, moves and removes while a message waits; afterwards it is claimed, and an unknown one was never there', async () => {
    const { sessions, send, create, model, all } = givenServer([saysThenHangs('Hello')])
    const id = create('go')
    await model.hasSaid('Hello')
    const [a, b] = [send(id, 'a'), send(id, 'b')]
    sessions.edit(id, b, { text: 'B', position: 0 })
    expect(sessions.get(id).queue.map((message) => message.text)).toEqual(['B', 'a'])
    sessions.removeMessage(id, a)
    expect(sessions.get(id).queue.map((message) => message.text)).toEqual(['B'])
    const claimed = all(id, 'inbox.claimed')[0]?.messageIds[0] as MessageId
    for (const gone of [a, claimed]) {
      expect(refusalOf(() => sessions.edit(id, gone, { text: 'late' })).code).toBe('message-claimed')
      expect(refusalOf(() => sessions.removeMessage(id, gone)).code).toBe('message-claimed')
    }
    expect(refusalOf(() => sessions.edit(id, 'msg_x' as MessageId, { text: 'x' })).code).toBe('not-found')
  })

  it('W2: replaces only a settled turn of this session', async () => {
    const { sessions, send, create, whenIdle, model, all } = givenServer([says('one'), saysThenHangs('two')])
    const id = create('first')
    await whenIdle(id)
    const settled = all(id, 'turn.start')[0]?.turnId as TurnId
    send(id, 'second', { replaces: settled })
    await model.hasSaid('two')
    const open = sessions.get(id).openTurnId as TurnId
    expect(refusalOf(() => send(id, 'x', { replaces: open })).code).toBe('turn-open')
    expect(refusalOf(() => send(id, 'x', { replaces: 'turn_none' as TurnId })).code).toBe('not-found')
    expect(refusalOf(() => send(create(), 'x', { replaces: settled })).code).toBe('not-found')
  })

  it('W2: wakes a parked queue, and says so when there is none', async () => {
    const { sessions, send, create, model, whenIdle, all } = givenServer([saysThenHangs('Hello'), says('resumed')])
    const id = create('go')
    await model.hasSaid('Hello')
    send(id, 'later')
    sessions.cancel(id, {})
    await whenIdle(id)
    expect(sessions.get(id)).toMatchObject({ paused: true, activity: 'idle', queue: [{ text: 'later' }] })
    expect(sessions.wake(id)).toBe('woken')
    await whenIdle(id)
    expect(sessions.wake(id)).toBe('none')
    expect(all(id, 'turn.end').map((end) => end.outcome.kind)).toEqual(['aborted', 'completed'])
  })
})

describe('stopping', () => {
  it('W3: signals once, says what it did, and names the request that the log has', async () => {
    const { sessions, create, model, all, whenIdle } = givenServer([saysThenHangs('Hello')])
    const id = create('go')
    await model.hasSaid('Hello')
    const turnId = sessions.get(id).openTurnId as TurnId
    const answer = sessions.cancel(id, { via: 'button', turnId })
    expect(answer).toEqual({ accepted: true, effect: 'signalled', requestId: expect.any(String), discarded: 0 })
    expect(sessions.get(id).activity).toBe('stopping')
    expect(sessions.cancel(id, { turnId })).toEqual({ accepted: true, effect: 'already-signalled', discarded: 0 })
    await whenIdle(id)
    expect(sessions.cancel(id, { turnId })).toEqual({ accepted: true, effect: 'none', discarded: 0 })
    expect(sessions.cancel(id, {})).toEqual({ accepted: true, effect: 'none', discarded: 0 })
    expect(all(id, 'control.requested')).toEqual([
      { requestId: answer.requestId, action: 'cancel', via: 'button', by: { kind: 'user' }, turnId, keepInbox: true },
    ])
  })

  it('W3: changes nothing when it names another turn than the open one', async () => {
    const { sessions, send, create, model, all } = givenServer([saysThenHangs('Hello')])
    const id = create('go')
    await model.hasSaid('Hello')
    send(id, 'waiting')
    const before = sessions.get(id).lastSeq
    const answer = sessions.cancel(id, { turnId: 'turn_other' as TurnId, keepInbox: false })
    expect(answer).toEqual({ accepted: true, effect: 'stale', discarded: 0 })
    expect(sessions.get(id)).toMatchObject({ lastSeq: before, activity: 'running' })
    expect(all(id, 'control.requested')).toEqual([])
  })

  it('W3: S-C4: a late request that names the turn that has ended leaves the queue alone', async () => {
    const { sessions, send, create, model, whenIdle } = givenServer([saysThenHangs('Hello')])
    const id = create('go')
    await model.hasSaid('Hello')
    const turnId = sessions.get(id).openTurnId as TurnId
    send(id, 'waits')
    sessions.cancel(id, {})
    await whenIdle(id)
    const before = sessions.get(id).lastSeq
    expect(sessions.cancel(id, { turnId, keepInbox: false })).toEqual({ accepted: true, effect: 'none', discarded: 0 })
    expect(sessions.get(id)).toMatchObject({ lastSeq: before, queue: [{ text: 'waits' }] })
  })

  it('W3: a cancel between the wake and the claim is signalled, without a turn', async () => {
    const { sessions, create, send, all, whenIdle } = givenServer()
    const id = create()
    send(id, 'go')
    expect(sessions.cancel(id, {}).effect).toBe('signalled')
    await whenIdle(id)
    expect(all(id, 'control.requested')[0]?.turnId).toBeNull()
    expect(all(id, 'turn.start')).toEqual([])
    expect(sessions.get(id)).toMatchObject({ paused: true, queue: [{ text: 'go' }] })
  })

  it('W2: keeps the queue unless asked to clear it, also when nobody is at home', async () => {
    const { sessions, send, create, model, whenIdle, agents } = givenServer([saysThenHangs('Hello')])
    const id = create('go')
    await model.hasSaid('Hello')
    send(id, 'a')
    send(id, 'b')
    expect(sessions.cancel(id, {}).discarded).toBe(0)
    await whenIdle(id)
    await agents.dispose(id)
    expect(sessions.cancel(id, {})).toMatchObject({ effect: 'none', discarded: 0 })
    expect(agents.get(id)).toBeUndefined()
    expect(sessions.cancel(id, { keepInbox: false })).toMatchObject({ effect: 'none', discarded: 2 })
    expect(sessions.get(id).queue).toEqual([])
  })

  it('S14: stop-all stops the session, keeps its queue, and writes stop-all', async () => {
    const { sessions, send, create, model, whenIdle, all } = givenServer([saysThenHangs('Hello')])
    const id = create('go')
    await model.hasSaid('Hello')
    send(id, 'waiting')
    expect(sessions.stopAll(id)).toEqual({ accepted: true, signalled: [id], over: [], failed: [] })
    await whenIdle(id)
    expect(sessions.stopAll(id)).toEqual({ accepted: true, signalled: [], over: [id], failed: [] })
    expect(all(id, 'control.requested').map((request) => request.action)).toEqual(['stop-all'])
    expect(sessions.get(id).queue).toHaveLength(1)
  })

  it('T8: ends one running call and the turn goes on', async () => {
    const started = moment()
    const slow = tool('slow', async (_input, { signal }) => {
      started.reach()
      await aborted(signal)
      return { status: 'aborted', output: 'interrupted', truncated: false }
    })
    const { sessions, create, whenIdle, all } = givenServer(
      [calls({ id: 'call_1', name: 'slow' }), says('went on')],
      [slow],
    )
    const id = create('go')
    await started.reached
    const call = 'call_1' as CallId
    expect(sessions.endCall(id, 'call_other' as CallId, {})).toBe('none')
    expect(sessions.endCall(id, call, {})).toBe('signalled')
    await whenIdle(id)
    expect(sessions.endCall(id, call, {})).toBe('none')
    expect(all(id, 'tool.end').map((end) => end.status)).toEqual(['aborted'])
    expect(all(id, 'turn.end').map((end) => end.outcome.kind)).toEqual(['completed'])
  })
})

describe('forking', () => {
  it('W2: copies the log up to and including a settled turn, numbered from 1, without queue', async () => {
    const { sessions, send, create, whenIdle, model, all } = givenServer([
      says('one'),
      saysThenHangs('two'),
      says('three'),
    ])
    const id = create('first')
    await whenIdle(id)
    send(id, 'second')
    await model.hasSaid('two')
    send(id, 'queued')
    sessions.cancel(id, {})
    await whenIdle(id)
    sessions.change(id, { archived: true })
    const [first, second] = all(id, 'turn.start').map((start) => start.turnId) as [TurnId, TurnId]

    const fork = sessions.fork(id, second)
    const events = sessions.events(fork.id, {}).events
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
    expect(events[0]?.data).toMatchObject({
      kind: 'root',
      rootId: fork.id,
      forkedFrom: { sessionId: id, turnId: second },
    })
    expect(fork).toMatchObject({
      queue: [],
      paused: false,
      archived: false,
      lastOutcome: { kind: 'aborted' },
      activity: 'idle',
    })
    expect(all(fork.id, 'turn.start')).toEqual(all(id, 'turn.start'))
    expect(all(fork.id, 'note')).toEqual(all(id, 'note'))
    expect([...events.map((event) => event.at)]).toEqual(
      sessions
        .events(id, {})
        .events.filter((event) => !(event.type === 'inbox.queued' && event.data.text === 'queued'))
        .slice(0, events.length)
        .map((event) => event.at),
    )

    expect(all(sessions.fork(id, first).id, 'turn.start')).toHaveLength(1)
    send(fork.id, 'go on here')
    await whenIdle(fork.id)
    expect(all(fork.id, 'turn.end').map((end) => end.outcome.kind)).toEqual(['completed', 'aborted', 'completed'])
    expect(all(id, 'turn.end')).toHaveLength(2)
  })

  it('W2: refuses an open turn and one that never was', async () => {
    const { sessions, create, model } = givenServer([saysThenHangs('Hello')])
    const id = create('go')
    await model.hasSaid('Hello')
    const open = sessions.get(id).openTurnId as TurnId
    expect(refusalOf(() => sessions.fork(id, open)).code).toBe('turn-open')
    expect(refusalOf(() => sessions.fork(id, 'turn_none' as TurnId)).code).toBe('not-found')
    expect(sessions.list({}).sessions).toHaveLength(1)
  })
})

describe('a clientId', () => {
  it('W2: belongs to the session it was sent to: in a fork it is new', async () => {
    const { sessions, create, whenIdle, all } = givenServer()
    const id = create()
    sessions.send(id, { text: 'first', clientId: 'step-1' })
    await whenIdle(id)
    const fork = sessions.fork(id, all(id, 'turn.end')[0]?.turnId as TurnId)
    sessions.send(fork.id, { text: 'second', clientId: 'step-1' })
    await whenIdle(fork.id)
    expect(all(fork.id, 'user.message').map((message) => message.blocks[0]?.text)).toEqual(['first', 'second'])
  })
})

describe('deleting', () => {
  it('W2: hides at once, cancels, takes no input, and removes at rest', async () => {
    const release = moment()
    const { sessions, send, create, model, removed, catalogue, log, whenIdle } = givenServer([
      deafUntil(release.reached),
    ])
    const id = create('go')
    await model.hasBeenAsked(1)
    send(id, 'queued')
    sessions.remove(id)
    expect(removed).toEqual([id])
    expect(sessions.list({}).sessions).toEqual([])
    for (const ask of [
      () => sessions.get(id),
      () => send(id, 'x'),
      () => sessions.cancel(id, {}),
      () => sessions.remove(id),
    ])
      expect(refusalOf(ask).code).toBe('not-found')
    expect(catalogue.hidden()).toEqual([id])
    expect(model.signals[0]?.aborted).toBe(true)
    release.reach()
    await whenIdle(id)
    await sessions.whenRemoved()
    expect(catalogue.hidden()).toEqual([])
    expect([...log.read(id)]).toEqual([])
  })

  it('W2: removes a session that nobody runs', async () => {
    const { sessions, create, agents, log } = givenServer([says('ok')])
    const id = create('go')
    await agents.dispose(id)
    sessions.remove(id)
    await sessions.whenRemoved()
    expect([...log.read(id)]).toEqual([])
  })
})

describe('a subagent-owned id', () => {
  it('W4: takes no root command under its own address, and everything else', () => {
    const { sessions, log, create } = givenServer()
    const root = create()
    const child = 'ses_child' as SessionId
    log.append(child, [
      {
        type: 'session.created',
        data: {
          kind: 'continuable',
          parentId: root,
          rootId: root,
          depth: 1,
          label: 'Look',
          workspace: '/',
          model: 'test/model',
          approvalMode: 'ask',
        },
      },
    ])
    const refused = [
      () => sessions.cancel(child, {}),
      () => sessions.send(child, { text: 'x' }),
      () => sessions.wake(child),
      () => sessions.stopAll(child),
      () => sessions.remove(child),
      () => sessions.change(child, { model: 'test/other' }),
    ]
    expect(refused.map((ask) => refusalOf(ask).code)).toEqual(refused.map(() => 'subagent-session'))
    expect(sessions.change(child, { title: 'Named' })).toMatchObject({ title: 'Named', label: 'Look' })
    expect(sessions.tree(child).map((node) => node.id)).toEqual([root, child])
    expect(sessions.endCall(child, 'call_1' as CallId, {})).toBe('none')
  })
})
