/** What people write about a record: words with mentions, pictures, and the box to write more. */
import { PictureOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Form, Mentions } from 'antd';
import { useRef, useState } from 'react';
import type { Case } from '@/api/case';
import { commentCase, readersOf, removeComment } from '@/api/caseCalls';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Field, PhotosField } from '@/kit/fields';
import { RecordForm, SubmitBar, useRecordForm } from '@/kit/form';
import { Photos } from '@/kit/Photos';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { useDebounced } from '@/kit/useDebounced';
import { randomKey } from '@/lib/random';
import { mentionedIn, type Person, wordsOf } from './mentions';

const MOST_WORDS = 1000;
const MOST_PICTURES = 4;

interface CommentProps {
  of: Case;
  /** The record's. */
  id: string;
}

/** A comment in the timeline. Its writer may delete it for a while. */
export function CommentNote({ of, id, comment }: CommentProps & { comment: Wire<'Comment'> }) {
  const { t } = useTranslation();
  const remove = useAction({
    run: () => removeComment(of, id, comment.id),
    invalidates: [['case', of.name, 'detail']],
  });
  return (
    <>
      {wordsOf(comment.text, comment.mentions).map(({ key, text, isMention }) =>
        isMention ? (
          <span key={key} className="x-mention">
            {text}
          </span>
        ) : (
          text
        ),
      )}
      {comment.images.length > 0 && <Photos links={comment.images} />}
      {comment.mayDelete && (
        <div>
          <Button
            type="link"
            size="small"
            className="x-flush"
            loading={remove.busy}
            onClick={() => remove.run()}
          >
            {t('work.talk.delete')}
          </Button>
        </div>
      )}
      {Boolean(remove.error) && <ErrorLine error={remove.error} onConflict={remove.reset} />}
    </>
  );
}

/** The box below the timeline; it begins afresh after each comment. */
export function CommentBox(props: CommentProps) {
  const [count, setCount] = useState(0);
  return <Box key={count} {...props} onDone={() => setCount(count + 1)} />;
}

interface Values {
  text: string;
  images: string[];
  picked: Person[];
}

function Box({ of, id, onDone }: CommentProps & { onDone: () => void }) {
  const { t } = useTranslation();
  const key = useRef(randomKey());
  const handle = useRecordForm<Values>({
    initial: { text: '', images: [], picked: [] },
    draft: { name: `${of.name}.comment.${id}`, stays: true },
    submit: async ({ text = '', images, picked }) => {
      const mentions = mentionedIn(text, picked ?? []).map((person) => person.id);
      await commentCase(of, id, { text, images: images ?? [], mentions }, key.current);
    },
    invalidates: [['case', of.name, 'detail'], ['messages']],
    onDone,
  });
  return (
    <div className="x-comment-box">
      <RecordForm handle={handle} narrow>
        <Words of={of} id={id} />
        <Pictures />
      </RecordForm>
      <SubmitBar handle={handle} submitText={t('work.talk.send')} />
    </div>
  );
}

/** Keeps a value in the form and shows nothing. */
function Kept(_: { value?: unknown }) {
  return null;
}

function Words({ of, id }: CommentProps) {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const [search, setSearch] = useState<string>();
  const keyword = useDebounced(search ?? '', 200);
  const { data = [], isFetching } = useQuery({
    queryKey: ['case', of.name, 'readers', id, keyword],
    queryFn: ({ signal }) => readersOf(of, id, keyword, signal),
    enabled: search !== undefined,
    staleTime: 60_000,
  });
  const label = t('work.talk.write');
  return (
    <>
      <Form.Item name="picked" noStyle>
        <Kept />
      </Form.Item>
      <Field
        full
        kind="enter"
        name="text"
        label={label}
        rules={[
          {
            max: MOST_WORDS,
            message: t('kit.form.tooLong', { field: t('work.talk.comment'), count: MOST_WORDS }),
          },
          ({ getFieldValue }) => ({
            validator: async (_, text?: string) => {
              if (!text?.trim() && !getFieldValue('images')?.length) throw new Error(t('work.talk.missing'));
            },
          }),
        ]}
      >
        <Mentions
          autoSize={{ minRows: 2, maxRows: 8 }}
          placeholder={t('work.talk.hint')}
          filterOption={false}
          loading={isFetching}
          notFoundContent={t('work.talk.nobody')}
          onSearch={setSearch}
          onSelect={(option) => {
            const chosen = (option as unknown as { person: Person }).person;
            const others = ((form.getFieldValue('picked') as Person[] | undefined) ?? []).filter(
              ({ id }) => id !== chosen.id,
            );
            form.setFieldValue('picked', [...others, chosen]);
          }}
          // Of what was looked for before nobody is chosen by mistake.
          options={(keyword === search ? data : []).map((person) => ({
            key: person.id,
            value: person.realName,
            // The control gives keys of its own.
            person: { id: person.id, name: person.realName },
            label: (
              <>
                {person.realName} <span className="x-quiet">{person.deptName}</span>
              </>
            ),
          }))}
        />
      </Field>
    </>
  );
}

/** Out of the way until there are some. */
function Pictures() {
  const { t } = useTranslation();
  const images = Form.useWatch<string[] | undefined>('images');
  const [isOpen, setOpen] = useState(false);
  if (isOpen || images?.length)
    return <PhotosField name="images" label={t('work.talk.pictures')} max={MOST_PICTURES} />;
  return (
    <>
      <Form.Item name="images" noStyle>
        <Kept />
      </Form.Item>
      <Button type="link" className="x-flush" icon={<PictureOutlined />} onClick={() => setOpen(true)}>
        {t('work.talk.addPictures')}
      </Button>
    </>
  );
}
