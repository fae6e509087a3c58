export { FakePlugin, type Method, type PluginCall } from './fake-plugin.js';
