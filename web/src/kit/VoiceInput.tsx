/** Saying it instead of typing: press, speak for a minute at most, listen, remove. Without a recorder a file is chosen. */
import { AudioOutlined, CloseOutlined, FolderOpenOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { clockTime } from '@/lib/duration';
import { useUploads } from './form';
import { usePhotoStore, useReason } from './photoStore';
import { canRecord, MOST_SECONDS, type Obstacle, type Recording, record } from './recorder';
import { Voice } from './Voice';

const MEGABYTES = 12;
const TICK = 200;

type Stage =
  | { kind: 'rest' }
  | { kind: 'asking' }
  | { kind: 'recording'; since: number }
  | { kind: 'sending'; share: number }
  | { kind: 'failed'; file: File; error: string };

interface VoiceInputProps {
  id?: string;
  /** The link of the recording. */
  value?: string;
  onChange?: (link: string | undefined) => void;
  disabled?: boolean;
}

const BUSY = new Set<Stage['kind']>(['asking', 'recording', 'sending']);

export function VoiceInput({ id, value, onChange, disabled }: VoiceInputProps) {
  const { t } = useTranslation();
  const store = usePhotoStore();
  const reasonOf = useReason();
  const [stage, setStage] = useState<Stage>({ kind: 'rest' });
  const [obstacle, setObstacle] = useState<Obstacle | undefined>(() => (canRecord() ? undefined : 'none'));
  const [refused, setRefused] = useState<string>();
  const [seconds, setSeconds] = useState<number | null>(null);
  const live = useRef<Recording>(undefined);
  const gone = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    gone.current = controller;
    return () => {
      controller.abort();
      live.current?.drop();
    };
  }, []);

  // The form waits for what is being said, too.
  const countUploads = useRef(useUploads());
  const busy = BUSY.has(stage.kind);
  useEffect(() => {
    if (!busy) return;
    const count = countUploads.current;
    count(1);
    return () => count(-1);
  }, [busy]);

  const send = async (file: File) => {
    setStage({ kind: 'sending', share: 0 });
    const { signal } = gone.current;
    try {
      const stored = store
        ? { link: await store.add(file, 'voice') }
        : await api.upload('/blade-resource/oss/endpoint/put-file', file, {
            query: { place: 'voice' },
            progress: (share) => setStage({ kind: 'sending', share }),
            signal,
          });
      onChange?.(stored.link);
      setStage({ kind: 'rest' });
    } catch (error) {
      setStage({
        kind: 'failed',
        file,
        error: reasonOf(error),
      });
    }
  };

  const start = async () => {
    const { signal } = gone.current;
    setRefused(undefined);
    setStage({ kind: 'asking' });
    let begun = 0;
    const found = await record((file) => {
      live.current = undefined;
      setSeconds(Math.max(1, Math.floor((performance.now() - begun) / 1000)));
      send(file);
    });
    begun = performance.now();
    if (typeof found === 'string') {
      setObstacle(found);
      setStage({ kind: 'rest' });
    } else if (signal.aborted) found.drop();
    else {
      live.current = found;
      setObstacle(undefined);
      setStage({ kind: 'recording', since: begun });
    }
  };

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    const fits = file.size <= MEGABYTES * 2 ** 20;
    setRefused(fits ? undefined : t('kit.files.tooLarge', { n: MEGABYTES }));
    if (!fits) return;
    setSeconds(null);
    send(file);
  };

  const remove = () => {
    setSeconds(null);
    onChange?.(undefined);
  };

  return (
    <div id={id} tabIndex={-1}>
      {value ? (
        <div className="x-voice-row">
          <Voice link={value} seconds={seconds} />
          {!disabled && (
            <Button
              type="text"
              icon={<CloseOutlined />}
              aria-label={t('kit.voice.remove')}
              onClick={remove}
            />
          )}
        </div>
      ) : (
        <div className="x-voice-row">
          {stage.kind === 'rest' && (
            <>
              {canRecord() && (
                <Button icon={<AudioOutlined />} disabled={disabled} onClick={start}>
                  {t('kit.voice.record')}
                </Button>
              )}
              {obstacle && !disabled && (
                <label className="x-file-add">
                  <FolderOpenOutlined />
                  {t('kit.voice.choose')}
                  <input className="x-sr" type="file" accept="audio/*" onChange={choose} />
                </label>
              )}
            </>
          )}
          {stage.kind === 'asking' && <span role="status">{t('kit.voice.asking')}</span>}
          {stage.kind === 'recording' && (
            <>
              <Running since={stage.since} />
              <Button type="primary" danger onClick={() => live.current?.stop()}>
                {t('kit.voice.stop')}
              </Button>
            </>
          )}
          {stage.kind === 'sending' && <Progress size="small" percent={Math.round(stage.share * 100)} />}
          {stage.kind === 'failed' && (
            <>
              <Button icon={<ReloadOutlined />} onClick={() => send(stage.file)}>
                {t('kit.retry')}
              </Button>
              <Button type="text" onClick={() => setStage({ kind: 'rest' })}>
                {t('kit.cancel')}
              </Button>
            </>
          )}
        </div>
      )}
      {!value && stage.kind === 'rest' && (
        <div className="x-hint" role={obstacle && 'status'}>
          {obstacle ? t(`kit.voice.${obstacle}`) : t('kit.voice.hint', { n: MOST_SECONDS })}
        </div>
      )}
      {(refused || stage.kind === 'failed') && (
        <div role="alert" className="ant-form-item-explain-error">
          {refused ?? (stage.kind === 'failed' && stage.error)}
        </div>
      )}
    </div>
  );
}

/** How long it has been running, of how long it may. */
function Running({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.min(MOST_SECONDS, Math.floor((now - since) / 1000));
  return (
    <span className="x-voice-running" role="timer">
      {clockTime(seconds)} / {clockTime(MOST_SECONDS)}
    </span>
  );
}
