/** What happened to a record that a process moves, what waits now and for whom. */
import type { ReactNode } from 'react';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { TimelineItem } from '@/kit/Timeline';
import { moment } from '@/lib/dates';
import { StillAbove } from './Parked';
import { useHistory } from './queries';
import { story } from './story';

interface Moved {
  processInstanceId: string;
  logs: readonly Wire<'Log'>[];
  comments: readonly Comment[];
  openTask: Wire<'OpenTask'> | null;
}

type Comment = Wire<'Comment'>;

/** Who holds the step, else who may claim it: by name while they are few, else their roles and teams. */
export const whoOf = ({ assigneeName, peopleNames, candidateNames }: Wire<'OpenTask'>) =>
  assigneeName || (peopleNames.length > 0 ? peopleNames : candidateNames).join(' / ');

/** Who holds the open step, since when. */
export function Holder({ task }: { task: Wire<'OpenTask'> }) {
  const { t } = useTranslation();
  const who = whoOf(task);
  const words = { step: task.nodeName, who, time: moment(task.createTime) };
  return <>{t(who ? 'work.story.holder' : 'work.story.nobody', words)}</>;
}

/** Over the record's page: why its process stands still, where the task does not say it already. */
export function StandsStill({ record }: { record: Moved | undefined }) {
  return record?.openTask ? (
    <StillAbove {...record.openTask} processInstanceId={record.processInstanceId} />
  ) : null;
}

/** The record's timeline: its acts, the steps that no act tells of, what people wrote, and what waits. */
export function useTimeline(
  record: Moved | undefined,
  written: (comment: Comment) => ReactNode,
): TimelineItem[] {
  const { t } = useTranslation();
  const { data: history = [] } = useHistory(record?.processInstanceId);
  if (!record) return [];
  const items = story(record.logs, history).map((entry): TimelineItem => {
    const { key, name, outcome, by, time, note, changes, spent, tone, times } = entry;
    let title = outcome ? t('work.story.outcome', { step: name, outcome }) : name;
    if (times > 1) title = t('work.story.lines', { name, n: times });
    const changed = changes.map(({ fieldName, oldText, newText }) =>
      t('work.story.changed', {
        field: fieldName,
        old: oldText || t('work.story.blank'),
        new: newText || t('work.story.blank'),
      }),
    );
    const who = by || t('work.story.system');
    return {
      key,
      tone,
      title,
      by: spent ? `${who} · ${t('work.story.spent', { time: spent })}` : who,
      time,
      note: [note, ...changed].filter(Boolean).join('\n') || undefined,
    };
  });
  items.push(
    ...record.comments.map(
      (comment): TimelineItem => ({
        key: `comment-${comment.id}`,
        tone: comment.isDeleted ? 'off' : 'quiet',
        title: t(comment.isDeleted ? 'work.talk.deleted' : 'work.talk.comment'),
        by: comment.userName,
        time: comment.time,
        note: comment.isDeleted ? undefined : written(comment),
      }),
    ),
  );
  // The wire's moments sort as texts; what has the same second keeps its order.
  items.sort(({ time: one = '' }, { time: other = '' }) =>
    (one ?? '') < (other ?? '') ? -1 : one === other ? 0 : 1,
  );
  const { openTask } = record;
  if (openTask) {
    items.push({
      key: `open-${openTask.taskId}`,
      tone: 'waiting',
      title: t('work.story.waiting', { step: openTask.nodeName }),
      by: whoOf(openTask),
      time: openTask.createTime,
      lasts: true,
    });
  }
  return items;
}
