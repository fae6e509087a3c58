export { fetchRepository, type RepositorySource } from './fetch-repository.js';
