/** The draft of a form: kept while it is filled in, there again when the form is opened anew, gone once it was sent. */
import { Alert, Button, Form, type FormInstance } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '@/i18n';
import { type Draft, draftOf, dropDraft, keepDraft } from '@/session/drafts';

export interface DraftOptions {
  /** What tells it from the person's other drafts: the form, and the record that it changes. */
  name: string;
  /** Fields that are never kept: passwords and other secrets. */
  without?: readonly string[];
  /** Of the record as it was read. */
  version?: number;
  /** It stays when the form is left by its own button too: nothing is lost, and nothing asked. */
  stays?: boolean;
}

export interface DraftHandle {
  /** What was found at first, until it is discarded. */
  found: Draft | undefined;
  /** Keeps what differs from the beginning; without a difference there is no draft. */
  keep: (values: Readonly<Record<string, unknown>>) => void;
  drop: () => void;
  /** Whether the browser keeps what was entered last. */
  isKept: () => boolean;
  version: number | undefined;
  stays: boolean;
}

const LINK = /[?&]until=(\d+)/;

/** Whether what a link leads to can no longer be seen. */
const isOver = (value: unknown) =>
  typeof value === 'string' && Number(LINK.exec(value)?.[1] ?? Number.POSITIVE_INFINITY) * 1000 < Date.now();

/** The values without links that are over, and how many those were. */
function withoutOver(values: Draft['values']): { values: Record<string, unknown>; over: number } {
  let over = 0;
  const kept = Object.entries(values).map(([name, value]) => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const rest = list.filter((item) => !isOver(item));
    over += list.length - rest.length;
    return [name, Array.isArray(value) ? rest : (rest[0] ?? null)];
  });
  return { values: Object.fromEntries(kept), over };
}

export function useDraft(options: DraftOptions | undefined): DraftHandle | undefined {
  const { name = '', without, version, stays = false } = options ?? {};
  const [found, setFound] = useState(() => (options ? draftOf(name) : undefined));
  /** The draft that this form has read or written last. */
  const at = useRef(found?.at);
  const isKept = useRef(true);
  if (!options) return undefined;
  const drop = () => {
    // Another tab may be filling in the same form: what it has written is not ours to remove.
    if (at.current !== undefined) dropDraft(name, at.current);
    at.current = undefined;
    setFound(undefined);
  };
  return {
    found,
    keep: (values) => {
      const open = Object.entries(values).filter(([field]) => !without?.includes(field));
      const isSecret = open.length < Object.keys(values).length;
      if (open.length === 0) {
        if (at.current !== undefined) dropDraft(name, at.current);
        at.current = undefined;
        isKept.current = !isSecret;
        return;
      }
      const now = Math.max(Date.now(), (at.current ?? 0) + 1);
      isKept.current = keepDraft(name, { at: now, version, values: Object.fromEntries(open) }) && !isSecret;
      at.current = now;
    },
    drop,
    isKept: () => isKept.current,
    version,
    stays,
  };
}

interface KeepProps {
  form: FormInstance;
  /** What has been changed so far. */
  changes: () => Record<string, unknown> | undefined;
  draft: DraftHandle;
}

/** Keeps the draft at each change that a person makes: opening a form leaves nothing behind. */
export function KeepDraft({ form, changes, draft }: KeepProps) {
  const text = Form.useWatch((all: object) => JSON.stringify(all), form);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was entered has changed
  useEffect(() => {
    const changed = text && changes();
    if (changed) draft.keep(changed);
  }, [text]);
  return null;
}

/** What a form begins with where a draft was found, and the note that says so. */
export function restored(draft: DraftHandle | undefined): { values: Record<string, unknown>; over: number } {
  return draft?.found ? withoutOver(draft.found.values) : { values: {}, over: 0 };
}

interface FoundProps {
  draft: Draft;
  over: number;
  /** Of the record as it is now. */
  version: number | undefined;
  onDiscard: () => void;
}

export function FoundDraft({ draft, over, version, onDiscard }: FoundProps) {
  const { t } = useTranslation();
  const moved = draft.version !== undefined && version !== undefined && draft.version !== version;
  const notes = [
    ...(moved ? [t('kit.draft.moved')] : []),
    ...(over > 0 ? [t('kit.draft.over', { count: over })] : []),
  ];
  return (
    <Alert
      className="x-full x-block"
      type={notes.length > 0 ? 'warning' : 'info'}
      showIcon
      title={t('kit.draft.found', { time: dayjs(draft.at).format('MM-DD HH:mm') })}
      description={notes.length > 0 ? notes.join(' ') : undefined}
      action={
        <Button size="small" onClick={onDiscard}>
          {t('kit.draft.discard')}
        </Button>
      }
    />
  );
}
