import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { GrantedPrivileges, Settings } from '../wire.js';

const { flag, text } = parameter;
const other = Type.Record(Type.String(), Type.Unknown());
const auth = { 'X-Registry-Auth': text('credentials: JSON in base64') };
const granted = { ...content.json(named('PluginPrivileges', GrantedPrivileges)), isOptional: true };

const Plugin = named(
  'PluginDetails',
  Type.Object({
    Id: Type.String(),
    Name: Type.String(),
    Enabled: Type.Boolean(),
    PluginReference: Type.String(),
    Settings: other,
    Config: other,
  }),
);

/** What the routes of plugins do. */
export const operations: Operations = {
  'GET /plugins': {
    summary: 'Lists plugins',
    query: { filters: parameter.filters(['enabled', 'capability']) },
    answers: { 200: content.json(Type.Array(Plugin)) },
  },
  'GET /plugins/*name/json': { summary: 'Describes a plugin', answers: { 200: content.json(Plugin) } },
  'GET /plugins/*name': {
    summary: 'Describes a plugin, in the form of API 1.24',
    answers: { 200: content.undescribed('the record of API 1.24') },
  },
  'GET /plugins/privileges': {
    summary: 'Says what a plugin of a registry wants to be allowed',
    query: { remote: text('reference of the plugin') },
    headers: auth,
    answers: { 200: content.json(GrantedPrivileges) },
  },
  'POST /plugins/pull': {
    summary: 'Installs a plugin',
    query: { remote: text('reference of the plugin'), name: text('what it is called here') },
    headers: auth,
    body: granted,
    answers: { 200: content.lines(other) },
  },
  'POST /plugins/*name/set': {
    summary: 'Changes settings of a plugin',
    body: content.json(Settings),
    answers: { 204: content.none },
  },
  'POST /plugins/*name/upgrade': {
    summary: 'Replaces a plugin by another version',
    query: { remote: text('reference of the plugin') },
    headers: auth,
    body: granted,
    answers: { 204: content.none },
  },
  'POST /plugins/*name/enable': { summary: 'Starts a plugin', answers: { 200: content.none } },
  'POST /plugins/*name/disable': {
    summary: 'Stops a plugin',
    query: { force: flag('also while it is in use') },
    answers: { 200: content.none },
  },
  'DELETE /plugins/*name': {
    summary: 'Removes a plugin',
    query: { force: flag('also one that is enabled'), data: flag('with its data') },
    answers: { 200: content.none },
  },
  'POST /plugins/create': {
    summary: 'Makes a plugin of an archive with its configuration and root file system',
    query: { name: text('what it is called') },
    body: content.archive,
    answers: { 204: content.none },
  },
  'POST /plugins/*name/push': {
    summary: 'Pushes a plugin to a registry',
    headers: auth,
    answers: { 200: content.lines(other) },
  },
};
