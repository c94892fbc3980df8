/** Attaching files: each is sent at once, or stored on this device where the form is, shows how far it is, and can be tried again or removed. */
import { CloseOutlined, PaperClipOutlined, ReloadOutlined, UploadOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { fileName, namedLink } from '@/lib/fileLinks';
import { useUploads } from './form';
import { usePhotoStore, useReason, useShownPhoto } from './photoStore';

const MEGABYTES = 20;
/** Told to the browser for its dialog; the server looks at what is inside. */
const ENDINGS = '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.txt,.csv,.zip,.jpg,.jpeg,.png';

interface Sending {
  id: number;
  file: File;
  share: number;
  error?: string;
}

interface FilesInputProps {
  id?: string;
  value?: readonly string[];
  onChange?: (links: string[]) => void;
  max: number;
  disabled?: boolean;
}

let numbers = 0;

function Name({ link, name }: { link: string; name: string }) {
  const address = useShownPhoto(link);
  return (
    <a href={address} target="_blank" rel="noreferrer" download={address === link ? undefined : name}>
      {name}
    </a>
  );
}

export function FilesInput({ id, value = [], onChange, max, disabled }: FilesInputProps) {
  const { t } = useTranslation();
  const countUploads = useUploads();
  const store = usePhotoStore();
  const reasonOf = useReason();
  const [sending, setSending] = useState<Sending[]>([]);
  const [refused, setRefused] = useState<string>();
  // Uploads end at their own time: they add to the list of that moment, not of the moment they began.
  const links = useRef(value);
  links.current = value;
  const gone = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    gone.current = controller;
    return () => controller.abort();
  }, []);

  const patch = (number: number, change: Partial<Sending>) =>
    setSending((list) => list.map((item) => (item.id === number ? { ...item, ...change } : item)));
  const drop = (number: number) => setSending((list) => list.filter((other) => other.id !== number));

  const send = async (item: Sending) => {
    patch(item.id, { share: 0, error: undefined });
    countUploads(1);
    try {
      const stored = store
        ? { link: await store.add(item.file, 'file'), originalName: '' }
        : await api.upload('/blade-resource/oss/endpoint/put-file', item.file, {
            query: { place: 'file' },
            progress: (share) => patch(item.id, { share }),
            signal: gone.current.signal,
          });
      // The name that the file had here: links are made up by the server.
      links.current = [...links.current, namedLink(stored.link, stored.originalName || item.file.name)];
      onChange?.([...links.current]);
      drop(item.id);
    } catch (error) {
      patch(item.id, { error: reasonOf(error) });
    } finally {
      countUploads(-1);
    }
  };

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = '';
    const small = files.filter((file) => file.size <= MEGABYTES * 2 ** 20);
    setRefused(small.length < files.length ? t('kit.files.tooLarge', { n: MEGABYTES }) : undefined);
    const items = small.slice(0, max - value.length - sending.length).map((file) => {
      numbers += 1;
      return { id: numbers, file, share: 0 };
    });
    setSending((list) => [...list, ...items]);
    for (const item of items) send(item);
  };

  return (
    <div id={id} tabIndex={-1}>
      <ul className="x-plain">
        {value.map((link) => {
          const name = fileName(link);
          return (
            <li key={link} className="x-file">
              <PaperClipOutlined />
              <Name link={link} name={name} />
              {!disabled && (
                <Button
                  type="text"
                  size="small"
                  icon={<CloseOutlined />}
                  aria-label={t('kit.files.remove', { name })}
                  onClick={() => onChange?.(value.filter((other) => other !== link))}
                />
              )}
            </li>
          );
        })}
        {sending.map((item) => (
          <li key={item.id} className="x-file">
            <PaperClipOutlined />
            <span>{item.file.name}</span>
            {item.error ? (
              <>
                <span role="alert" className="ant-form-item-explain-error">
                  {item.error}
                </span>
                <Button size="small" icon={<ReloadOutlined />} onClick={() => send(item)}>
                  {t('kit.retry')}
                </Button>
                <Button size="small" type="text" onClick={() => drop(item.id)}>
                  {t('kit.cancel')}
                </Button>
              </>
            ) : (
              <Progress size="small" percent={Math.round(item.share * 100)} />
            )}
          </li>
        ))}
      </ul>
      {!disabled && value.length + sending.length < max && (
        <label className="x-file-add">
          <UploadOutlined />
          {t('kit.files.add')}
          <input className="x-sr" type="file" accept={ENDINGS} multiple={max > 1} onChange={choose} />
        </label>
      )}
      <div className="x-hint">{t('kit.files.hint', { n: max, size: MEGABYTES })}</div>
      {refused && (
        <div role="alert" className="ant-form-item-explain-error">
          {refused}
        </div>
      )}
    </div>
  );
}
