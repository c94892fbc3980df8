/** Taking and choosing pictures: each is sent at once, or stored on this device where the form is, shows how far it is,
 * and can be tried again or removed. */
import { CameraOutlined, CloseOutlined, PictureOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button, Image, Progress } from 'antd';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { useUploads } from './form';
import { usePhotoStore, useReason, useShownPhoto } from './photoStore';
import { usePhone } from './width';

const TYPES = ['image/jpeg', 'image/png'];
const MEGABYTES = 20;

interface Sending {
  id: number;
  file: File;
  /** Of the local copy, shown until the server's link is there. */
  preview: string;
  share: number;
  error?: string;
}

interface PhotosInputProps {
  id?: string;
  value?: readonly string[];
  onChange?: (links: string[]) => void;
  max: number;
  disabled?: boolean;
}

let numbers = 0;

function Shown({ link, alt }: { link: string; alt: string }) {
  return <Image src={useShownPhoto(link)} alt={alt} width="100%" height="100%" />;
}

export function PhotosInput({ id, value = [], onChange, max, disabled }: PhotosInputProps) {
  const { t } = useTranslation();
  const phone = usePhone();
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

  const drop = (item: Sending) => {
    URL.revokeObjectURL(item.preview);
    setSending((list) => list.filter((other) => other.id !== item.id));
  };

  const upload = async (item: Sending) => {
    const { link } = await api.upload('/blade-resource/oss/endpoint/put-file', item.file, {
      progress: (share) => patch(item.id, { share }),
      signal: gone.current.signal,
    });
    return link;
  };

  const send = async (item: Sending) => {
    patch(item.id, { share: 0, error: undefined });
    countUploads(1);
    try {
      const link = store ? await store.add(item.file) : await upload(item);
      links.current = [...links.current, link];
      onChange?.([...links.current]);
      drop(item);
    } catch (error) {
      patch(item.id, { error: reasonOf(error) });
    } finally {
      countUploads(-1);
    }
  };

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = '';
    setRefused(undefined);
    const room = max - value.length - sending.length;
    const good = files.filter((file) => TYPES.includes(file.type) && file.size <= MEGABYTES * 2 ** 20);
    if (good.length < files.length) {
      const tooBig = files.some((file) => file.size > MEGABYTES * 2 ** 20);
      setRefused(tooBig ? t('kit.error.fileSize', { n: MEGABYTES }) : t('kit.error.fileType'));
    }
    const items = good.slice(0, room).map((file) => {
      numbers += 1;
      return { id: numbers, file, preview: URL.createObjectURL(file), share: 0 };
    });
    setSending((list) => [...list, ...items]);
    for (const item of items) send(item);
  };

  const pick = (label: string, icon: React.ReactNode, camera: boolean) => (
    <label className="x-photo x-photo-add">
      {icon}
      {label}
      <input
        className="x-sr"
        type="file"
        accept={TYPES.join(',')}
        multiple={!camera}
        capture={camera ? 'environment' : undefined}
        onChange={choose}
      />
    </label>
  );

  const failed = sending.find((item) => item.error);
  return (
    <div id={id} tabIndex={-1}>
      <div className="x-photos">
        <Image.PreviewGroup>
          {value.map((link, index) => (
            <div className="x-photo" key={link}>
              <Shown link={link} alt={t('kit.photos.preview', { n: index + 1 })} />
              {!disabled && (
                <Button
                  className="x-photo-remove"
                  type="text"
                  shape="circle"
                  icon={<CloseOutlined />}
                  aria-label={t('kit.photos.remove', { n: index + 1 })}
                  onClick={() => onChange?.(value.filter((other) => other !== link))}
                />
              )}
            </div>
          ))}
        </Image.PreviewGroup>
        {sending.map((item) => (
          <div className="x-photo" key={item.id}>
            <img src={item.preview} alt={item.file.name} />
            <div className="x-photo-over">
              {item.error ? (
                <>
                  <Button size="small" icon={<ReloadOutlined />} onClick={() => send(item)}>
                    {t('kit.retry')}
                  </Button>
                  <Button size="small" type="text" onClick={() => drop(item)}>
                    {t('kit.cancel')}
                  </Button>
                </>
              ) : (
                <Progress type="circle" size={44} percent={Math.round(item.share * 100)} />
              )}
            </div>
          </div>
        ))}
        {!disabled && value.length + sending.length < max && (
          <>
            {phone && pick(t('kit.photos.camera'), <CameraOutlined />, true)}
            {pick(phone ? t('kit.photos.album') : t('kit.photos.add'), <PictureOutlined />, false)}
          </>
        )}
      </div>
      <div className="x-hint">{t('kit.photos.hint', { n: max, size: MEGABYTES })}</div>
      {(refused || failed) && (
        <div role="alert" className="ant-form-item-explain-error">
          {refused ?? t('kit.error.file', { name: failed?.file.name, why: failed?.error })}
        </div>
      )}
    </div>
  );
}
